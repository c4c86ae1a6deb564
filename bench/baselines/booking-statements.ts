import { prepareValue } from 'pg/lib/utils'
import type { Sent } from '../environment/booking-process.ts'
import { type Statement, UNIQUE } from './statement.ts'

/** A claim serves so many bookings. */
export const CLAIMED_TOGETHER = 50

/** Ids of ours end with a number that is theirs alone; what follows the id is kept. */
const IDS = /\b((?:dlv|evt)_[0-9a-z]{16})[0-9a-z]{10}/g
/** A JSON object: it names the delivery too, but nothing looks it up there. */
const JSON_TEXT = /^\{"\w+":|^\[/

/** What a worker sent for one booking, for one after another: the first was its claim, shared by many. */
export function bookingStatements(sent: readonly Sent[]): Statement[] {
  return sent.map(({ text, values }, index) => ({
    text,
    values: values.map((value) => forAnyone(prepareValue(value))),
    ...(index === 0 ? { oneIn: CLAIMED_TOGETHER } : {}),
  }))
}

function forAnyone(value: string | null): string | null {
  return value === null || JSON_TEXT.test(value) ? value : value.replace(IDS, `$1${UNIQUE}`)
}
