import type { Booking, BookingRecovery, Carrier, Consignment, Outcome } from '../../carriers/port/carrier.ts'
import type { Account } from '../../domain/account/account.ts'
import { firstLookMs } from '../../domain/delivery/reconciliation-schedule.ts'
import type { Decision, Option } from '../../domain/quoting/decision.ts'
import { explainForRecord } from '../../domain/quoting/explanation.ts'
import { heldOptions } from '../../domain/quoting/quote-token.ts'
import {
  type AnyIntent,
  type BookingIntent,
  getLastAttempt,
  hasRequest,
  type IntendedOption,
  listIntents,
  type NewIntent,
  openIntent,
} from '../../store/deliveries/booking-intents.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { listRefusingServices, serviceKey } from '../quoting/decide-now.ts'
import { decideAsking, type Quoted, toStreet } from '../quoting/quote-delivery.ts'
import { getManifestStatus, toChosenOption, toJob } from '../quoting/to-job.ts'
import { applyTransition, type BookingWork, type ClaimedDelivery } from './apply-transition.ts'
import { type BookingTransition, onlyStaffKnow, refusedByAll } from './booking-transition.ts'
import { toConsignment } from './consignment.ts'
import { holdOn, mayKeep, whyNotKept } from './hold-of-delivery.ts'
import { resolveLostBooking } from './look-up-lost-booking.ts'
import { resolveUnknownBooking } from './resolve-unknown-booking.ts'

/**
 * Books a claimed, requested delivery. An attempt with an unknown outcome is resolved first; then each option is tried
 * in order until a carrier accepts.
 * Safe to kill at any point: the intent is committed before the carrier is called, so the next worker that claims the
 * row resolves it before calling any carrier. No database connection is held during a carrier call.
 * `known`: its attempts, if the caller knows them. Returns the row as it was written last; null if it was not.
 */
export async function bookDelivery(
  claimed: ClaimedDelivery,
  known?: readonly AnyIntent[],
): Promise<DeliveryRow | null> {
  const { deps, claim } = claimed
  const { account_id: accountId, delivery_id: deliveryId, pending_attempt, booking_attempts } = claim.row
  const work = { ...claimed, tries: booking_attempts }
  let intents = known ?? (await listIntents(deps.db, accountId, deliveryId))
  const open = intents.find(({ attempt }) => attempt === pending_attempt)
  // Another process has learnt its outcome since this one claimed the delivery.
  if (open && !hasRequest(open)) return null
  if (open) {
    const learnt = open.lostPeriod
      ? await resolveLostBooking(work, open, open.lostPeriod)
      : await resolveUnknownBooking(work, await findCarrier(deps, accountId, open.provider), open)
    const stored = await applyTransition(work, learnt)
    if (stored.isOver) return stored.row
    intents = await listIntents(deps.db, accountId, deliveryId)
  }
  const account = await deps.accounts.atVersion(accountId, claim.row.account_version)
  return tryInOrder(work, account, await decideAgain(work, account), intents)
}

/**
 * Decides as at creation: a dynamic ready-for-pickup time is when the carriers can be there, and carriers with prices
 * of their own are asked for their current price.
 */
async function decideAgain({ deps, entry, claim }: BookingWork, account: Account): Promise<Quoted> {
  const delivery = toDelivery(claim.row)
  const job = toJob(account, delivery)
  return decideAsking(deps, { ...entry, account }, job, {
    dynamic: delivery.content.useDynamicRfp,
    street: toStreet(delivery.content),
    deadlineMs: PRICE_DEADLINE_MS,
    excluded: claim.row.excluded_providers,
    isForBooking: true,
  })
}

/** No clerk waits at a counter for a booking from the queue; in `book_delivery_now` this leaves time to book. */
const PRICE_DEADLINE_MS = 3_000

async function tryInOrder(
  work: BookingWork,
  account: Account,
  { decision, job }: Quoted,
  intents: readonly AnyIntent[],
): Promise<DeliveryRow | null> {
  const { row } = work.claim
  const refusedBy = listRefusingServices(row, intents)
  const weighed = JSON.stringify(explainForRecord(account, job, decision))
  const hold = holdOn(row)
  const options = hold ? heldOptions(decision, hold, Date.now()) : decision.options
  let asked = 0
  const awaited = decision.exclusions.filter(
    ({ mayComeLater, service }) => mayComeLater && (hold === null || mayKeep(service, hold)),
  )
  let someoneMayLater = awaited.length > 0
  const notSetUp = decision.exclusions.filter(({ rule }) => rule === 'not_set_up')
  const unasked = new Set(notSetUp.map(({ service }) => service.carrierName))
  for (const option of options) {
    const carrier = await findCarrier(work.deps, row.account_id, option.service.provider)
    if (!carrier) unasked.add(option.service.carrierName)
    if (!carrier || refusedBy.has(serviceKey(option.service))) continue
    asked += 1
    const intent = toIntent(work, account, option, carrier.recovery, getLastAttempt(intents) + asked)
    const learnt = await tryOption(work, carrier, intent, weighed)
    const stored = await applyTransition({ ...work, tries: work.tries + asked }, learnt)
    if (stored.isOver) return stored.row
    if (isDeferred(learnt)) someoneMayLater = true
  }
  const tries = work.tries + asked
  if (someoneMayLater) {
    const waitsFor = awaited.find(({ rule }) => rule === 'not_set_up')?.detail ?? null
    return (await applyTransition({ ...work, tries }, { kind: 'retry', asked: asked > 0, waitsFor })).row
  }
  const reason = hold ? await whyNotKept(work, account, hold) : whyNobody(decision, unasked)
  return (await applyTransition(work, { kind: 'on_hold', reason, intent: null, openAttempt: null })).row
}

type OpenIntent = BookingIntent & NewIntent & { consignment: Consignment }

/** Commits the intent, then asks the carrier. */
async function tryOption(
  work: BookingWork,
  carrier: Carrier,
  intent: OpenIntent,
  weighed: string,
): Promise<BookingTransition> {
  const { row } = work.claim
  const target = {
    accountId: row.account_id,
    deliveryId: row.delivery_id,
    fence: row.fence,
    contentVersion: row.content_version,
    nowMs: work.entry.nowMs(),
  }
  const mayAsk =
    (await work.claim.mayCall()) &&
    (await openIntent(work.deps.db, target, intent)) &&
    (await work.claim.mayCall())
  if (!mayAsk) return { kind: 'lease_lost' }
  return toTransition(intent, carrier.recovery, await carrier.book(intent.consignment), weighed)
}

/** What the carrier's answer to a first request means. */
function toTransition(
  intent: BookingIntent,
  recovery: BookingRecovery,
  outcome: Outcome<Booking>,
  weighed: string,
): BookingTransition {
  if (outcome.kind === 'yes') return { kind: 'accepted', intent, booking: outcome.value, decision: weighed }
  if (outcome.kind === 'unknown') {
    if (recovery.kind === 'neither') return onlyStaffKnow(intent, outcome)
    const waitMs = recovery.kind === 'look_up' ? recovery.settleMs : null
    return { kind: 'unknown', intent, outcome, waitMs, settleMs: intent.settleInMs, asked: false }
  }
  const { retry, message } = outcome
  if (retry === 'nobody') return refusedByAll(intent, message)
  // A deferred booking never reached the carrier, or was rejected before it was read.
  const end =
    retry === 'later'
      ? ({ state: 'void', message, lookAgainAtMs: null } as const)
      : { state: 'rejected' as const, message }
  return { kind: 'refused', intent, end }
}

/** The carrier could not take it now, and may later. */
function isDeferred(learnt: BookingTransition): boolean {
  return learnt.kind === 'refused' && learnt.end.state === 'void'
}

function toIntent(
  { claim, entry }: BookingWork,
  account: Account,
  option: Option,
  recovery: BookingRecovery,
  attempt: number,
): OpenIntent {
  const { row } = claim
  const key = `${row.delivery_id}-${attempt}`
  const askedAtMs = entry.nowMs()
  const settleMs = recovery.kind === 'look_up' ? recovery.settleMs : 0
  return {
    attempt,
    key,
    provider: option.service.provider,
    service: option.service.service,
    carrierName: option.service.carrierName,
    consignment: toConsignment(account, toDelivery(row), option, { key, askedAtMs }),
    option: toIntendedOption(option, row.account_version),
    contentVersion: row.content_version,
    state: 'sent',
    message: null,
    ifRepeated: null,
    createdAtMs: askedAtMs,
    answeredAtMs: askedAtMs,
    settleMs,
    settleInMs: settleMs,
    lookAgainAtMs: firstLookMs(askedAtMs),
    keyAgeMs: 0,
    lostPeriod: null,
  }
}

/** The fields that the delivery gets if the carrier accepts. */
export function toIntendedOption(option: Option, accountVersion: number): IntendedOption {
  return {
    ...toChosenOption(option),
    deliveryType: option.service.type,
    windowFromMs: option.window.fromMs,
    windowToMs: option.window.toMs,
    accountVersion,
    manifestStatus: getManifestStatus(option.service),
  }
}

/**
 * `unasked`: names of the carriers that could take the delivery but that this account, as it is now, has no connection
 * to.
 */
function whyNobody({ options, exclusions }: Decision, unasked: ReadonlySet<string>): string {
  if (unasked.size > 0) {
    return `${[...unasked].join(', ')} can no longer be booked by this account, and no other carrier can take the delivery.`
  }
  if (options.length > 0) return 'Every carrier that could take it has refused it.'
  return `No carrier can take it any more. ${exclusions.map(({ service, detail }) => `${service.carrierName} ${service.service}: ${detail}`).join(' ')}`
}
