import { encodeTime } from 'ulid'

/** The ulid of the latest moment that fits in one. */
const LATEST_MS = 2 ** 48 - 1

/** What sorts before every id of this prefix that was made at the moment or later, and after all of before. */
export function idAt(prefix: string, ms: number): string {
  const fitting = Math.min(Math.max(0, Math.floor(ms)), LATEST_MS)
  return `${prefix}_${encodeTime(fitting).toLowerCase()}`
}
