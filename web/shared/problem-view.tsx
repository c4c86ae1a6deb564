import type { ReactNode } from 'react'
import { Glyph } from './glyph.tsx'
import { toProblem } from './problem.ts'

/** The error, its effect, and the remedy: never a blank page. */
export function ProblemView({
  error,
  retry,
  children,
}: {
  error: unknown
  retry?: () => void
  children?: ReactNode
}) {
  const problem = toProblem(error)
  return (
    <div className="state err" role="alert">
      <h2>
        <Glyph shape="diamond" /> {TITLES[problem.status] ?? 'That didn’t work.'}
      </h2>
      <p>{problem.message}</p>
      {problem.errors.length > 1 && (
        <ul className="mistakes">
          {problem.errors.map(({ field, message }) => (
            <li key={field + message}>{message}</li>
          ))}
        </ul>
      )}
      {children}
      {retry && (
        <button type="button" className="b" onClick={retry}>
          Try again
        </button>
      )}
      {problem.requestId && (
        <details>
          <summary>Details</summary>
          <p className="mono">
            {problem.code}, request {problem.requestId}
          </p>
        </details>
      )}
    </div>
  )
}

const TITLES: Readonly<Record<number, string>> = {
  0: 'No connection.',
  403: 'You can’t do this.',
  404: 'We can’t find what you asked for.',
  429: 'Too many requests.',
  503: 'We can’t reach our database.',
}
