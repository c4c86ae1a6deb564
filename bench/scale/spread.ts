import { encodeTime } from 'ulid'

/** How many deliveries over how many accounts; the first account is big and has half of them. */
export type Size = { deliveries: number; accounts: number }

/** A copy of a delivery: whose it is, how many days before the original, and its number among its account's copies. */
export type Copy = { account: string; original: number; daysAgo: number; reference: string }

/** Days of deliveries: below 400 (`retention.delivery_days`), so that none is erased while we measure. */
export const DAYS = 395
export const BIG_ACCOUNT = 'demo'
const DIGITS = 10

/**
 * The copy with this number, from 0. Oldest first, as they would have been created: day after day the tables grow at
 * their end. Even numbers belong to the big account, odd ones to the others in turn.
 */
export function copyAt(number: number, { deliveries, accounts }: Size, originals: number): Copy {
  const ofHalf = Math.floor(number / 2)
  const times = { daysAgo: DAYS - Math.floor((number * DAYS) / deliveries), reference: referenceAt(number) }
  const others = accounts - 1
  if (number % 2 === 0 || others === 0)
    return { account: BIG_ACCOUNT, original: ofHalf % originals, ...times }
  const [other, turn] = [ofHalf % others, Math.floor(ofHalf / others)]
  return { account: otherAccount(other), original: (other + turn) % originals, ...times }
}

/** The name that `copyDemoRows` gives to the nth account after the demo accounts. */
function otherAccount(index: number): string {
  return `shop-${index + 3}`
}

/** How high `copyDemoRows` must count so that there is the big account and all others. */
export function lastAccountNumber({ accounts }: Size): number {
  return accounts + 1
}

function referenceAt(number: number): string {
  return `SCALE-${paddedNumber(number)}`
}

export function paddedNumber(number: number): string {
  return String(number).padStart(DIGITS, '0')
}

/** The time part of the id of a copy, as a ULID has it. The time of an original's id is that of the process's clock. */
export function idTimeBefore(originalId: string, daysAgo: number): string {
  const time = originalId.slice(PREFIX, PREFIX + TIME_LENGTH)
  const ms = [...time].reduce((sum, letter) => sum * 32 + ALPHABET.indexOf(letter), 0)
  return encodeTime(ms - daysAgo * DAY_MS).toLowerCase()
}

/** An id is three letters, `_` and a ULID: ten letters of time and sixteen of chance. */
const PREFIX = 4
const TIME_LENGTH = 10
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
export const DAY_MS = 86_400_000
/** How far the account's clock moves at a time: below the six hours after which a message expires. */
export const STEP_MS = 3 * 3_600_000

/**
 * SQL: an original's id with the copy's time and number. The last letters stay: they tell apart the ids that one process
 * made in the same millisecond, and `msg_…` ends with its channel.
 */
export function copiedIdSql(column: string): string {
  const kept = PREFIX + TIME_LENGTH + DIGITS + 1
  return `left(${column}, ${PREFIX}) || c.id_time || c.digits || substr(${column}, ${kept})`
}

const MELBOURNE_MORNING = Date.parse('1970-01-05T10:00:00+10:00')

/** The latest weekday, 10 am in Melbourne (standard time), at or before `ms`: every store of the demo account is open. */
export function weekdayMorningBefore(ms: number): number {
  const days = Math.floor((ms - MELBOURNE_MORNING) / DAY_MS)
  const weekday = ((days % 7) + 7) % 7 // 0: Monday
  return MELBOURNE_MORNING + (days - Math.max(0, weekday - 4)) * DAY_MS
}

/** The next weekday, 10 am in Melbourne (standard time), after `ms`. */
export function weekdayMorningAfter(ms: number): number {
  let next = weekdayMorningBefore(ms)
  for (let days = 1; next <= ms; days++) next = weekdayMorningBefore(ms + days * DAY_MS)
  return next
}
