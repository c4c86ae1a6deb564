import { type ButtonHTMLAttributes, useId } from 'react'

type ActionButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  /** Why it is disabled, as a sentence beside it. */
  disabledReason?: string | false | null
  /** It was pressed, and the response is not there yet. */
  busy?: boolean
}

/** A button that explains itself: while it is disabled, it can have the focus and says why. */
export function ActionButton({ disabledReason, busy, type = 'button', onClick, ...rest }: ActionButtonProps) {
  const id = useId()
  const reason = busy ? 'Please wait: we’re still working on it.' : disabledReason || null
  return (
    <>
      <button
        // It stays a submit button: a form without one would be sent by Enter.
        type={type}
        {...rest}
        aria-disabled={reason === null ? undefined : true}
        aria-busy={busy || undefined}
        aria-describedby={reason === null ? rest['aria-describedby'] : id}
        title={reason ?? rest.title}
        onClick={(event) => {
          if (reason !== null) event.preventDefault()
          else onClick?.(event)
        }}
      />
      {reason !== null && (
        <span id={id} className={busy ? 'vh' : 'dim why'}>
          {reason}
        </span>
      )}
    </>
  )
}
