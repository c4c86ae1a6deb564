import { createHash } from 'node:crypto'
import { Refusal } from '../../domain/errors.ts'
import { numberKind } from '../../domain/sms-number.ts'
import type { Db } from '../../store/db/db.ts'
import type { MessageEnd } from '../../store/messages/due-messages.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { takeSmsOfDay } from '../../store/messages/sms-days.ts'
import { countAttempts } from '../../store/people/login-attempts.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

const HOUR_MS = 3_600_000
/**
 * SMS limit, a rate limit: links and login codes per number and hour; all of this is wall time, across all
 * processes. There are no quiet hours: Drover sends an SMS when its event happens.
 */
export const MAX_SMS_AN_HOUR = 3
/** For evaluation: in a sandbox without an SMS gateway, messages are only kept in the outbox. */
export const MAX_SANDBOX_SMS_AN_HOUR = 60
/** Login codes, and links, that the worker sends to a number in an hour of its own count. */
const MAX_SENT_AN_HOUR = 2 * MAX_SMS_AN_HOUR
/** The shortest pause before the same SMS is sent again: the first may still be on its way. */
const RESEND_PAUSE_MS = 60_000
/** Job offers may exceed the daily limit by this factor, because the account's own couriers wait for them. */
const OFFERS_TIMES = 2
/** How often an SMS that waits for the next day is checked again, because the limit may have been raised. */
const LOOK_AGAIN_MS = 15 * 60_000

/** Counts one more under a name; returns the seconds until the limit allows it, 0 if it does now. */
export async function takeOne(
  db: Db,
  what: string,
  { max, windowMs }: { max: number; windowMs: number },
): Promise<number> {
  const name = createHash('sha256').update(what).digest()
  const [counted] = await countAttempts(db, [name], windowMs)
  return counted && counted.attempts > max ? Math.max(1, counted.seconds) : 0
}

/** `max`: links to the number in an hour. */
type LinkSms = { accountId: string; linkId: string; phone: string; max: number }

export function maxLinksAnHour({ notifier }: Pick<Deps, 'notifier'>, { account }: AccountEntry): number {
  return account.mode === 'sandbox' && !notifier.sms ? MAX_SANDBOX_SMS_AN_HOUR : MAX_SMS_AN_HOUR
}

/**
 * Whether one more link may be sent to this number within the hour. Called in the transaction that creates the link.
 */
export async function mayTextLink(db: Db, { accountId, linkId, phone, max }: LinkSms): Promise<boolean> {
  await takeOne(db, pauseOf(accountId, linkId), { max: 1, windowMs: RESEND_PAUSE_MS })
  const hour = { max, windowMs: HOUR_MS }
  return (await takeOne(db, linksOf(accountId, phone), hour)) === 0
}

/** Refuses `rate_limited` for a link that was sent just now, or whose number has reached its hourly limit. */
export async function refuseLinkTooSoon(db: Db, { accountId, linkId, phone, max }: LinkSms): Promise<void> {
  const wait = await takeOne(db, pauseOf(accountId, linkId), { max: 1, windowMs: RESEND_PAUSE_MS })
  if (wait > 0) throw tooSoon('This link was sent less than a minute ago.', wait)
  const full = await takeOne(db, linksOf(accountId, phone), { max, windowMs: HOUR_MS })
  if (full > 0) throw tooSoon(`This customer got ${max} links in the last hour.`, full)
}

/** Test messages of an account in an hour, to all addresses together. */
const MAX_TESTS_AN_HOUR = 20

/** Refuses `rate_limited` when an account sends more test messages than its owner can read. */
export async function refuseTestsTooSoon(
  db: Db,
  { accountId, recipient }: { accountId: string; recipient: string },
): Promise<void> {
  for (const [what, max] of [
    [`test-messages\n${accountId}`, MAX_TESTS_AN_HOUR],
    [`test-messages\n${accountId}\n${recipient}`, MAX_TESTS_AN_HOUR / 2],
  ] as const) {
    const full = await takeOne(db, what, { max, windowMs: HOUR_MS })
    if (full > 0) throw tooSoon(`You have sent ${max} test messages in the last hour.`, full)
  }
}

/**
 * Refuses `rate_limited` for a phone, known or unknown, that requests login codes again too soon or too often. `max`
 * per hour; `paused`: not twice within a minute.
 */
export async function refuseCodesTooSoon(
  db: Db,
  phone: string,
  { max, paused }: { max: number; paused: boolean },
): Promise<void> {
  const pause = { max: 1, windowMs: RESEND_PAUSE_MS }
  // Counted for every phone alike, so that the response time reveals nothing.
  const wait = await takeOne(db, `driver-codes-pause\n${phone}`, pause)
  if (paused && wait > 0) throw tooSoon('A code was sent less than a minute ago.', wait)
  const full = await takeOne(db, `driver-codes\n${phone}\n${max}`, { max, windowMs: HOUR_MS })
  if (full > 0) throw tooManyCodes(max, full)
}

/** The same words for a courier's number and for a stranger's. */
export function tooManyCodes(max: number, seconds: number): Refusal {
  return tooSoon(`This number has asked for ${max} codes in an hour, so we won’t send another yet.`, seconds)
}

function tooSoon(message: string, seconds: number): Refusal {
  return new Refusal('rate_limited', `${message} Try again in ${secondsWords(seconds)}.`, {
    details: { retry_after_seconds: seconds },
  })
}

function secondsWords(seconds: number): string {
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`
}

const pauseOf = (accountId: string, linkId: string) => `link-pause\n${accountId}\n${linkId}`
const linksOf = (accountId: string, phone: string) => `link-sms\n${accountId}\n${phone}`

/** The result of an SMS that is not sent now. */
export type HeldSms = Pick<MessageEnd, 'status' | 'message'> & { dueAtMs: number | null }

/** Why a number gets no SMS of its account; null if it does. */
export function noSms(entry: AccountEntry, { recipient }: Pick<MessageRow, 'recipient'>): HeldSms | null {
  const { countries } = entry.account.sms
  const kind = numberKind(recipient, countries)
  if (kind === 'mobile') return null
  const message =
    kind === 'no_sms'
      ? 'Not sent: this number can’t receive SMS. It is a landline, or a 1300 or 1800 number.'
      : kind === 'elsewhere'
        ? `Not sent: this business sends SMS only to numbers in ${[...countries].join(', ')}.`
        : `Not sent: Drover doesn’t send SMS messages to ${kind === 'premium' ? 'premium-rate' : 'satellite'} numbers.`
  return { status: 'suppressed', message, dueAtMs: null }
}

/** What the worker counts for each number, by its template. */
const COUNTED: Readonly<Record<string, string>> = { driver_code: 'codes', link: 'links' }

/**
 * Which of an account's SMS must wait, and why; the others are counted as sent. Retries were counted at their first
 * attempt.
 */
export async function holdSms(
  { db }: Pick<Deps, 'db'>,
  entry: AccountEntry,
  rows: readonly MessageRow[],
): Promise<Map<MessageRow, HeldSms>> {
  const held = new Map<MessageRow, HeldSms>()
  const fresh = rows.filter(({ attempts }) => attempts === 0)
  const isOffer = ({ template }: MessageRow) => template === 'driver_offer' || template === 'driver_note'
  const { perDay } = entry.account.sms
  for (const [maxPerDay, which] of [
    [perDay, (row: MessageRow) => !isOffer(row)],
    [perDay * OFFERS_TIMES, isOffer],
  ] as const) {
    const some = fresh.filter(which)
    if (some.length === 0) continue
    const { zone, id: accountId } = entry.account
    const may = await takeSmsOfDay(db, { accountId, zone: zone.name, amount: some.length, maxPerDay })
    for (const row of some.slice(may)) held.set(row, waits(entry, row, maxPerDay))
  }
  // Counts only messages that go now: one that is held until tomorrow comes here every few minutes.
  for (const row of fresh.filter((one) => !held.has(one))) {
    // The request has counted these already, if its process knew of the gateway. An hour here may span two of the
    // request's: a lower limit would drop a code that was announced.
    const noun = COUNTED[row.template]
    if (noun === undefined) continue
    const what = `${row.template}-sent\n${row.account_id}\n${row.recipient}`
    if ((await takeOne(db, what, { max: MAX_SENT_AN_HOUR, windowMs: HOUR_MS })) === 0) continue
    const message = `Not sent: this number got ${MAX_SENT_AN_HOUR} ${noun} in the last hour.`
    held.set(row, { status: 'suppressed', message, dueAtMs: null })
  }
  return held
}

function waits(entry: AccountEntry, { expires_at }: MessageRow, maxPerDay: number): HeldSms {
  return {
    status: 'queued',
    message: `Waiting: this business has sent its limit of ${maxPerDay} SMS messages for today.`,
    dueAtMs: Math.min(entry.nowMs() + LOOK_AGAIN_MS, expires_at),
  }
}
