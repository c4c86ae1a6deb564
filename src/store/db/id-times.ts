import { encodeTime } from 'ulid'

/** The ulid of the latest moment that fits in one. */
const LATEST_MS = 2 ** 48 - 1

/** What sorts before every id of this prefix that was made at the moment or later, and after all of before. */
export function idAt(prefix: string, ms: number): string {
  const fitting = Math.min(Math.max(0, Math.floor(ms)), LATEST_MS)
  return `${prefix}_${encodeTime(fitting).toLowerCase()}`
}

/** SQL: when an id was made, by the clock of the process that made it; null where it holds no time. */
export function madeAt(id: string): string {
  return `(select to_timestamp(sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(right(${id}, 26), n, 1)) - 1)
      * power(32, 10 - n)) / 1000)
    from generate_series(1, 10) as n where ${id} ~ '_[0-7][0-9a-z]{25}$')`
}
