import { collectedAtMs, journeyOf, type Plan } from './progress.ts'
import type { SandboxConsignment, SandboxOutcome } from './sandbox-store.ts'
import type { Visit } from './server.ts'

export type Cancelled = Extract<SandboxOutcome, 'cancelled' | 'already_cancelled' | 'refused' | 'not_found'>

/** Cancels a consignment that is not collected yet; each carrier formats the result in its own way. */
export async function cancelBooking(
  visit: Visit,
  consignmentNumber: string,
  planOf: (request: unknown) => Plan,
): Promise<Cancelled> {
  const { accountId, carrier, store } = visit
  const [consignment] = await store.listByNumber(accountId, carrier, [consignmentNumber])
  if (!consignment) return record(visit, consignmentNumber, null, 'not_found')
  if (consignment.cancelledAtMs !== null) {
    return record(visit, consignmentNumber, consignment, 'already_cancelled')
  }
  // A consignment in an order counts as handed over, on paper.
  if (consignment.orderId !== null) return record(visit, consignmentNumber, consignment, 'refused')
  if (collectedAtMs(journeyOf(consignment, planOf(consignment.request))) <= visit.nowMs()) {
    return record(visit, consignmentNumber, consignment, 'refused')
  }

  const cancelled = await store.cancel(consignment, visit.nowMs())
  if (cancelled) return 'cancelled'
  const [now] = await store.listByNumber(accountId, carrier, [consignmentNumber])
  const outcome = now?.orderId ? 'refused' : 'already_cancelled'
  return record(visit, consignmentNumber, consignment, outcome)
}

async function record(
  visit: Visit,
  consignmentNumber: string,
  consignment: SandboxConsignment | null,
  outcome: Cancelled,
): Promise<Cancelled> {
  await visit.store.record({
    accountId: visit.accountId,
    atMs: visit.nowMs(),
    carrier: visit.carrier,
    operation: 'cancel',
    reference: consignment?.merchantReference ?? '',
    idempotencyKey: consignment ? (consignment.idempotencyKey ?? consignment.reference) : null,
    outcome,
    consignmentNumber,
  })
  return outcome
}
