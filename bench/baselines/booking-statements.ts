import { prepareValue } from 'pg/lib/utils'
import type { Sent } from '../environment/booking-process.ts'
import { type Statement, UNIQUE } from './statement.ts'

/** The number of bookings that share a claim. */
export const CLAIMED_TOGETHER = 50

/** Our ids end with a unique number; the text after the id is kept. */
const IDS = /\b((?:dlv|evt)_[0-9a-z]{16})[0-9a-z]{10}/g
/** A JSON object: it holds the delivery's id too, but no statement searches in it. */
const JSON_TEXT = /^\{"\w+":|^\[/

/**
 * A worker's statements for one booking, repeated for each further booking. The first one is the claim, which many
 * bookings share.
 */
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
