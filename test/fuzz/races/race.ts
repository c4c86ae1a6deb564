import { nameOf, type Reply } from '../../harness/http.ts'
import type { Random } from '../../harness/random.ts'
import type { SystemUnderTest } from '../system-under-test.ts'

/** One run of a race: `number` is unique, and no concurrent race uses `store`. */
export type Start = {
  system: SystemUnderTest
  number: number
  store: string
  otherStore: string
  random: Random
}

export type Outcome = {
  /** The result, as text that is counted. */
  ended: string
  /** Violations; empty if the promise held. */
  wrong: string[]
}

export type Race = {
  /** The promise. */
  promise: string
  /** Requests in one race. */
  contenders: number
  run(start: Start): Promise<Outcome>
  /** Checks at the end of all races, by the ledgers of carriers and the tables. */
  audit?(system: SystemUnderTest): Promise<string[]>
}

/** Responses that the race does not allow. */
export function unheardOf(answers: readonly Reply[], promised: readonly string[]): string[] {
  return answers.flatMap((answer) => {
    const name = nameOf(answer)
    return promised.includes(name) ? [] : [`returned ${name}: ${answer.json?.detail ?? ''}`]
  })
}
