import type { Booking, BookingRecovery, Carrier, Consignment, Outcome } from '../../carriers/port/carrier.ts'
import type { Account } from '../../domain/account/account.ts'
import { firstLookMs } from '../../domain/delivery/look-up-schedule.ts'
import type { Decision, Option } from '../../domain/quoting/decision.ts'
import { explainForRecord } from '../../domain/quoting/explanation.ts'
import { heldOptions } from '../../domain/quoting/hold.ts'
import {
  type BookingIntent,
  type IntendedOption,
  listIntents,
  type NewIntent,
  openIntent,
} from '../../store/deliveries/booking-intents.ts'
import { deliveryOf } from '../../store/deliveries/delivery-rows.ts'
import { listRefusingServices, serviceKey } from '../quoting/carrier-refusals.ts'
import { chosenOf, manifestStatusOf } from '../quoting/chosen-option.ts'
import { jobOf } from '../quoting/job-of-delivery.ts'
import { decideAsking, type Quoted, streetOf } from '../quoting/quote-delivery.ts'
import {
  askAgainMs,
  type BookingAttempt,
  recordHold,
  recordRefused,
  recordRefusedByAll,
  recordRetry,
  recordUnknown,
} from './booking-transitions.ts'
import { confirmBooking } from './confirm-booking.ts'
import { consignmentOf } from './consignment.ts'
import { holdOn, mayKeep, whyNotKept } from './hold-of-delivery.ts'
import { resolveUnknownBooking, unresolvableReason } from './resolve-unknown-booking.ts'

/**
 * Books a claimed, requested delivery. An attempt with an unknown outcome is resolved first; then each option is tried
 * in order until a carrier accepts.
 * Safe to kill at any point: the intent is committed before the carrier is called, so the next worker that claims the
 * row resolves it before calling any carrier. No database connection is held during a carrier call.
 */
export async function bookDelivery(work: BookingAttempt): Promise<void> {
  const { deps, claim } = work
  let intents = await listIntents(deps.db, claim.row.account_id, claim.row.delivery_id)
  const open = intents.find(({ attempt }) => attempt === claim.row.pending_attempt)
  if (open) {
    const carrier = deps.carrierOf(claim.row.account_id, open.provider)
    if ((await resolveUnknownBooking(work, carrier, open)) === 'done') return
    claim.row.pending_attempt = null
    intents = await listIntents(deps.db, claim.row.account_id, claim.row.delivery_id)
  }
  const account = await deps.accounts.atVersion(claim.row.account_id, claim.row.account_version)
  await askInOrder(work, account, await decideAgain(work, account), intents)
}

/**
 * Decides as at creation: a dynamic ready-for-pickup time is when the carriers can be there, and carriers with prices
 * of their own are asked for their current price.
 */
async function decideAgain({ deps, entry, claim }: BookingAttempt, account: Account): Promise<Quoted> {
  const delivery = deliveryOf(claim.row)
  const job = jobOf(account, delivery)
  return decideAsking(deps, { ...entry, account }, job, {
    dynamic: delivery.content.useDynamicRfp,
    street: streetOf(delivery.content),
    deadlineMs: PRICE_DEADLINE_MS,
    excluded: claim.row.excluded_providers,
    isForBooking: true,
  })
}

/** No clerk waits at a counter for a booking from the queue; in `book_delivery_now` this leaves time to book. */
const PRICE_DEADLINE_MS = 3_000

async function askInOrder(
  work: BookingAttempt,
  account: Account,
  { decision, job }: Quoted,
  intents: readonly BookingIntent[],
): Promise<void> {
  const { row } = work.claim
  const refusedBy = listRefusingServices(row, intents)
  const weighed = JSON.stringify(explainForRecord(account, job, decision))
  const hold = holdOn(row)
  const options = hold ? heldOptions(decision, hold, Date.now()) : decision.options
  let attempt = intents.length
  let someoneMayLater = decision.exclusions.some(
    ({ mayComeLater, service }) => mayComeLater && (hold === null || mayKeep(service, hold)),
  )
  const unasked = new Set<string>()
  for (const option of options) {
    const carrier = work.deps.carrierOf(row.account_id, option.service.provider)
    if (!carrier) unasked.add(option.service.carrierName)
    if (!carrier || refusedBy.has(serviceKey(option.service))) continue
    attempt += 1
    const next = await askOne(work, account, option, carrier, attempt, weighed)
    if (next === 'done') return
    if (next === 'later') someoneMayLater = true
  }
  if (someoneMayLater) await recordRetry(work, { asked: attempt > intents.length })
  else await recordHold(work, hold ? await whyNotKept(work, account, hold) : whyNobody(decision, unasked))
}

/** Tries one option. The carrier's answer ends the work, or the next option is tried. */
async function askOne(
  work: BookingAttempt,
  account: Account,
  option: Option,
  carrier: Carrier,
  attempt: number,
  weighed: string,
): Promise<'done' | 'refused' | 'later'> {
  const intent = intentOf(work, account, option, carrier.recovery, attempt)
  const { row } = work.claim
  const delivery = {
    accountId: row.account_id,
    deliveryId: row.delivery_id,
    fence: row.fence,
    contentVersion: row.content_version,
  }
  if (!(await work.claim.mayCall())) return 'done'
  if (!(await openIntent(work.deps.db, delivery, intent, work.entry.nowMs()))) return 'done'
  row.pending_attempt = attempt
  if (!(await work.claim.mayCall())) return 'done'
  const outcome = await carrier.book(intent.consignment)
  row.booking_attempts += 1
  return recordOutcome(work, intent, carrier.recovery, outcome, weighed)
}

async function recordOutcome(
  work: BookingAttempt,
  intent: BookingIntent,
  recovery: BookingRecovery,
  outcome: Outcome<Booking>,
  weighed: string,
): Promise<'done' | 'refused' | 'later'> {
  if (outcome.kind === 'yes') {
    await confirmBooking(work, intent, outcome.value, weighed)
    return 'done'
  }
  if (outcome.kind === 'unknown') {
    const { message, ifRepeated = null } = outcome
    const unknown = { attempt: intent.attempt, state: 'unknown', message, ifRepeated } as const
    if (recovery.kind === 'neither')
      await recordHold(work, unresolvableReason({ ...intent, ...unknown }), unknown)
    else
      await recordUnknown(work, intent, outcome, {
        waitMs: recovery.kind === 'look_up' ? recovery.settleMs : askAgainMs(work),
        settleMs: intent.settleInMs,
        asked: false,
      })
    return 'done'
  }
  if (outcome.retry === 'nobody') {
    await recordRefusedByAll(work, intent, outcome.message)
    return 'done'
  }
  const later = outcome.retry === 'later'
  const { message } = outcome
  // A deferred booking never reached the carrier, or was rejected before it was read.
  const end = later
    ? ({ state: 'void', message, lookAgainAtMs: null } as const)
    : { state: 'rejected' as const, message }
  if (!(await recordRefused(work, intent, end))) return 'done'
  work.claim.row.pending_attempt = null
  return later ? 'later' : 'refused'
}

function intentOf(
  { claim, entry }: BookingAttempt,
  account: Account,
  option: Option,
  recovery: BookingRecovery,
  attempt: number,
): BookingIntent & NewIntent & { consignment: Consignment } {
  const { row } = claim
  const key = `${row.delivery_id}-${attempt}`
  const askedAtMs = entry.nowMs()
  const settleMs = recovery.kind === 'look_up' ? recovery.settleMs : 0
  const intended: IntendedOption = {
    ...chosenOf(option),
    deliveryType: option.service.type,
    windowFromMs: option.window.fromMs,
    windowToMs: option.window.toMs,
    accountVersion: row.account_version,
    manifestStatus: manifestStatusOf(option.service),
  }
  return {
    attempt,
    key,
    provider: option.service.provider,
    service: option.service.service,
    consignment: consignmentOf(account, deliveryOf(row), option, { key, askedAtMs }),
    option: intended,
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
  }
}

/**
 * `unasked`: names of the carriers that could take the delivery but that this account, as it is now, has no connection
 * to.
 */
function whyNobody({ options, exclusions }: Decision, unasked: ReadonlySet<string>): string {
  if (unasked.size > 0) {
    return `${[...unasked].join(', ')} can no longer be booked by this account, and no other carrier takes it.`
  }
  if (options.length > 0) return 'Every carrier that could take it has refused it.'
  return `No carrier can take it any more. ${exclusions.map(({ service, detail }) => `${service.carrierName} ${service.service}: ${detail}`).join(' ')}`
}
