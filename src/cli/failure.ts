import { Refusal } from '../domain/errors.ts'
import { findRemedy } from '../operations/quoting/failure-remedy.ts'
import { ProblemAnswer } from './commands/api.ts'

/** A command that could not do what was requested; its message has already been printed. */
export class Refused extends Error {}

export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof Refusal || error instanceof ProblemAnswer || error instanceof Refused ? 1 : 2
}

/** Prints on the error stream, in plain words, why a command failed. */
export function explain(error: unknown): void {
  if (error instanceof Refused) return
  if (error instanceof Refusal || error instanceof ProblemAnswer) {
    for (const line of refusalLines(error)) console.error(line)
    return
  }
  if (isMissingTable(error)) {
    console.error('The database has no Drover tables yet. Run: drover migrate')
    return
  }
  console.error(textFor(error))
  const remedy = findRemedy(error)
  if (remedy) console.error(remedy)
}

/** Its message, and each mistake in a line of its own. Nothing is printed twice: the message may quote mistakes. */
function refusalLines({ message, issues }: Refusal | ProblemAnswer): string[] {
  const [first] = issues
  if (!first || (issues.length === 1 && message.includes(first.message))) return [message]
  const at = message.indexOf(first.message)
  const opening = at < 0 ? message : message.slice(0, at).trim()
  return [...(opening ? [opening] : []), ...issues.map((issue) => `  ${issue.field}  ${issue.message}`)]
}

/**
 * A refused connection to two addresses of one name is an error that contains two, without a message of its
 * own.
 */
export function textFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner = error instanceof AggregateError ? error.errors.map(({ message }: Error) => message) : []
  return error.message || inner.join('; ') || String(error)
}

/** SQLSTATE 42P01, undefined_table. */
function isMissingTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01'
}
