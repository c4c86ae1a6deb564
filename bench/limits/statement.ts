/**
 * A prepared statement as the service sends it, for programs that repeat it. Each value is the text that goes
 * to the database; where it holds `UNIQUE`, every repetition puts another number.
 */
export type Statement = { text: string; values: readonly (string | null)[] }

export const UNIQUE = '@unique@'
/** Digits of the number, so that ids of one run sort by the order they were made in. */
export const UNIQUE_DIGITS = 10
