import { decodeTime, encodeTime } from 'ulid'

/** The latest time that fits in a ULID. */
const LATEST_MS = 2 ** 48 - 1

/** A ULID's characters, and those of its time. */
const [ULID_LENGTH, TIME_LENGTH] = [26, 10]

/** A bound that sorts before every id of this prefix made at or after this time, and after all earlier ids. */
export function idAt(prefix: string, ms: number): string {
  const fitting = Math.min(Math.max(0, Math.floor(ms)), LATEST_MS)
  return `${prefix}_${encodeTime(fitting).toLowerCase()}`
}

/** SQL: when an id was made, by the clock of the process that made it; null if it contains no time. */
export function madeAt(id: string): string {
  return `(select to_timestamp(sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(right(${id}, 26), n, 1)) - 1)
      * power(32, 10 - n)) / 1000)
    from generate_series(1, 10) as n where ${id} ~ '_[0-7][0-9a-z]{25}$')`
}

/** The time of a bound that `idAt` made, or of an id. */
export function timeOf(id: string): number {
  const time = id.slice(id.lastIndexOf('_') + 1).slice(0, TIME_LENGTH)
  return decodeTime(time.toUpperCase().padEnd(ULID_LENGTH, '0'))
}
