/**
 * A prepared statement as the service sends it, for programs that repeat it. Each value is the text that goes
 * to the database; where it holds `UNIQUE`, every repetition puts another number.
 */
export type Statement = {
  text: string
  values: readonly (string | null)[]
  /** Sent with one of so many repetitions; absent: with each. */
  oneIn?: number
}

export const UNIQUE = '@unique@'
/** Digits of the number, so that ids of one run sort by the order they were made in. */
export const UNIQUE_DIGITS = 10

/** Repeats statements, one after another, as fast as clients that do nothing else can. */
export type Repeat = {
  statements: readonly Statement[]
  clients: number
  numbers: Numbers
}

/** For so long: each number once, from anew for every `run`; or one of 1…`among` by chance. Or each of `count` once. */
export type Numbers =
  | { run: number; durationMs: number }
  | { among: number; durationMs: number }
  | { from: number; count: number }
