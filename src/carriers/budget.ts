/**
 * A carrier's limit on requests, shared by every process that signs in with the same key: takes one of `most` in
 * each `perMs`. Answers 0 when it was taken, else after how many milliseconds one may be free.
 */
export type Budget = (name: string, limit: { most: number; perMs: number }) => Promise<number>
