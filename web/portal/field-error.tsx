import { toMessage } from './idempotency-key.ts'

/** The server's message for a field, announced at once; nothing without one. */
export function FieldError({ error }: { error: unknown }) {
  if (!error) return null
  return (
    <p role="alert" className="field-error">
      {toMessage(error)}
    </p>
  )
}
