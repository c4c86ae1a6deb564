import { Refusal } from '../domain/errors.ts'
import { ProblemAnswer } from './api.ts'

/** Words of a command that could not do what was asked, printed already. */
export class Refused extends Error {}

export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof Refusal || error instanceof ProblemAnswer || error instanceof Refused ? 1 : 2
}

/** Says on the error stream, in plain words, why a command failed. */
export function explain(error: unknown): void {
  if (error instanceof Refused) return
  if (error instanceof Refusal || error instanceof ProblemAnswer) {
    console.error(error.message)
    for (const { field, message } of error.issues) console.error(`  ${field}  ${message}`)
    return
  }
  if (isMissingTable(error)) {
    console.error('The database has no Drover tables yet. Run: drover migrate')
    return
  }
  console.error(error instanceof Error ? error.message || String(error) : String(error))
}

/** SQLSTATE 42P01, undefined_table. */
function isMissingTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01'
}
