import type { Booking, Outcome } from '../carriers/carrier.ts'
import type { DeliveryEvent } from '../domain/delivery/delivery.ts'
import { STATUSES } from '../domain/delivery/status.ts'
import { type BookingIntent, listIntents } from '../store/booking-intents.ts'
import { changeDelivery } from '../store/change-delivery.ts'
import { findDelivery } from '../store/deliveries.ts'
import { carrierRefOf } from '../store/delivery-rows.ts'
import { listTimeline } from '../store/events.ts'
import type { AccountEntry } from './account-directory.ts'
import type { Deps } from './deps.ts'
import { toldOnly } from './events-along.ts'

/** Who learnt that a carrier has a delivery: whoever asked it, or the carrier's own news. */
export type Learnt = {
  deps: Deps
  entry: AccountEntry
  claim: { key: { accountId: string; deliveryId: string }; source: DeliveryEvent['source'] }
}

/**
 * A carrier's yes to an attempt that is no longer waited for. Where others have learnt of the same booking that is all
 * well. What was ended as not booked (by a person's word, by a worker that took over, by a search that found nothing)
 * must not stand beside what the delivery stands on now: it is given back, and its timeline says so once.
 * Answers whether nothing is left to do: false asks for the same again.
 */
export async function giveBackStray(
  learnt: Learnt,
  intent: BookingIntent,
  booking: Booking,
): Promise<boolean> {
  const { deps, claim } = learnt
  const { accountId, deliveryId } = claim.key
  const { consignmentNumber, carrierRef: ref = consignmentNumber } = booking
  const row = await findDelivery(deps.db, accountId, deliveryId)
  if (!row || carrierRefOf(row) === ref) return true
  const timeline = await listTimeline(deps.db, accountId, deliveryId)
  const heard = timeline.filter((event) => event.consignmentNumber === consignmentNumber)
  const wordsFor = (outcome: Outcome<null> | null) =>
    `${intent.option.carrierName} turned out to hold our booking ${intent.key} as ${consignmentNumber}, which had been given up: ${endOf(outcome)}`
  // Given back before; or it stood on it once and its carrier let it go, so that this is late.
  if (heard.some(({ to, detail }) => to === 'booked' || detail === wordsFor(GIVEN_BACK))) return true

  const intents = await listIntents(deps.db, accountId, deliveryId)
  const state = intents.find(({ attempt }) => attempt === intent.attempt)?.state
  const ended = state === 'void' || state === 'rejected'
  const carrier = ended ? deps.carrierOf(accountId, intent.provider) : null
  const outcome = (await carrier?.cancel?.(ref)) ?? null
  deps.log.error(
    { delivery: deliveryId, consignment: consignmentNumber, state, given_back: outcome?.kind ?? null },
    'a carrier said yes after the delivery was taken over',
  )
  if (!ended) return true
  const said = wordsFor(outcome)
  if (heard.every(({ detail }) => detail !== said)) await tell(learnt, consignmentNumber, said)
  return outcome === null || isAnswer(outcome)
}

const GIVEN_BACK: Outcome<null> = { kind: 'yes', value: null }

function isAnswer(outcome: Outcome<null>): boolean {
  return outcome.kind === 'yes' || (outcome.kind === 'no' && outcome.cure !== 'later')
}

function endOf(outcome: Outcome<null> | null): string {
  if (outcome === null) return 'it takes no cancellations by its interface. Call it.'
  if (!isAnswer(outcome)) return 'it has not confirmed the cancellation yet.'
  return outcome.kind === 'no'
    ? `it does not let it go (${outcome.said}). Call it.`
    : 'it was cancelled there.'
}

async function tell(
  { deps, entry, claim }: Learnt,
  consignmentNumber: string,
  detail: string,
): Promise<void> {
  const nowMs = entry.nowMs()
  const target = { ...claim.key, nowMs, guard: { statuses: STATUSES }, keepLease: true }
  const told = toldOnly(deps, { atMs: nowMs, source: claim.source, consignmentNumber, detail })
  await changeDelivery(deps.db, target, {}, [told])
}
