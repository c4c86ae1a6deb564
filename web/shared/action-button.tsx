import { type ButtonHTMLAttributes, useId } from 'react'

type ActionButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  /** Why it is disabled, as a sentence beside it. */
  closed?: string | false | null
  /** It was pressed, and the response is not there yet. */
  busy?: boolean
}

/** A button that explains itself: while it is disabled, it can have the focus and says why. */
export function ActionButton({ closed, busy, type = 'button', onClick, ...rest }: ActionButtonProps) {
  const id = useId()
  const why = busy ? 'Please wait: we’re still working on it.' : closed || null
  return (
    <>
      <button
        // It stays a submit button: a form without one would be sent by Enter.
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
