import type { Ground, Reply } from '../fleet.ts'
import type { Random } from '../random.ts'

/** One start of a race: `number` is told apart from all others of the run, and `store` is this lane's alone. */
export type Start = { ground: Ground; number: number; store: string; elsewhere: string; random: Random }

export type Outcome = {
  /** How it ended, in words that are counted. */
  ended: string
  /** What must not be; empty when it went as promised. */
  wrong: string[]
}

export type Race = {
  /** What is promised. */
  promise: string
  /** Requests that meet in one race. */
  contenders: number
  run(start: Start): Promise<Outcome>
  /** What can only be told when all are run, from what carriers and tables hold. */
  audit?(ground: Ground): Promise<string[]>
}

/** `409 duplicate_reference`. */
export function nameOf({ status, json }: Reply): string {
  return `${status} ${json?.code ?? ''}`.trim()
}

/** Answers that nobody promised. */
export function unheardOf(answers: readonly Reply[], promised: readonly string[]): string[] {
  return answers.flatMap((answer) => {
    const name = nameOf(answer)
    return promised.includes(name) ? [] : [`answered ${name}: ${answer.json?.detail ?? ''}`]
  })
}
