import { problemOf } from '../shared/problem.ts'

/** What the server had against it, said at once; nothing where there is nothing. */
export function FieldError({ error }: { error: unknown }) {
  if (!error) return null
  return (
    <p role="alert" className="field-error">
      {problemOf(error).message}
    </p>
  )
}
