import { type ButtonHTMLAttributes, useId } from 'react'

type ActionButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  /** Why it cannot be pressed, as a sentence that stands beside it. */
  closed?: string | false | null
  /** It was pressed, and the answer is not there yet. */
  busy?: boolean
}

/** A button that never goes dead in silence: while it cannot be pressed, it can be reached and says why. */
export function ActionButton({ closed, busy, type = 'button', onClick, ...rest }: ActionButtonProps) {
  const id = useId()
  const why = busy ? 'Please wait: we’re still working on it.' : closed || null
  return (
    <>
      <button
        // A submit button stays one: a form without it would be sent by Enter.
        type={type}
        {...rest}
        aria-disabled={why === null ? undefined : true}
        aria-busy={busy || undefined}
        aria-describedby={why === null ? rest['aria-describedby'] : id}
        title={why ?? rest.title}
        onClick={(event) => {
          if (why !== null) event.preventDefault()
          else onClick?.(event)
        }}
      />
      {why !== null && (
        <span id={id} className={busy ? 'vh' : 'dim why'}>
          {why}
        </span>
      )}
    </>
  )
}
