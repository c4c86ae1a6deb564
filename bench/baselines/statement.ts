/**
 * A prepared statement as the service sends it, for programs that repeat it. Each value is the text that is sent to
 * the database; every repetition replaces `UNIQUE` in it with another number.
 */
export type Statement = {
  text: string
  values: readonly (string | null)[]
  /** Sent in every n-th repetition only; absent: in each. */
  oneIn?: number
}

export const UNIQUE = '@unique@'
/** Digits of the number, so that ids of one run sort in the order of creation. */
export const UNIQUE_DIGITS = 10

/** Repeats statements, one after another, as fast as clients that do nothing else can. */
export type Repeat = {
  statements: readonly Statement[]
  clients: number
  numbers: Numbers
}

/**
 * Repeats for a time: each number once, again for every `run`; or a random one from 1 to `among`. Or `count` numbers,
 * once each.
 */
export type Numbers =
  | { run: number; durationMs: number }
  | { among: number; durationMs: number }
  | { from: number; count: number }
