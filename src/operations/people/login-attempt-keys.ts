import { createHash } from 'node:crypto'

/** The names under which attempts are counted; the rows hold a hash, and so no address. */
export type AttemptKind =
  | 'log-in'
  | 'log-in-all'
  | 'log-in-turn'
  | 'forgotten'
  | 'address'
  | 'device'
  | 'second-factor'

export function toAttemptKey(kind: AttemptKind, what: string): Buffer {
  return createHash('sha256').update(`${kind}\n${what}`).digest()
}
