import type { CarrierResponse } from '../../port/send.ts'
import { manifestFateOf } from './fate.ts'
import { newConsignmentNumber } from './numbers.ts'
import type { SandboxConsignment, SandboxOutcome } from './sandbox-store.ts'
import type { Visit } from './server.ts'
import { LOST_ANSWER_MS, SLOW_ANSWER_MS, SLOW_TAKE_MS } from './take-booking.ts'

/** An order as a carrier parsed it, and how that carrier formats each possible response. */
export type AskedOrder = {
  reference: string
  consignmentNumbers: readonly string[]
  /** Prefix of the order number: `SPO`. */
  prefix: string
  findableAfterMs: number
  /**
   * Whether the carrier refuses consignments that are in an order already; otherwise it lodges them again.
   */
  once: boolean
  answer(orderId: string, consignments: readonly SandboxConsignment[]): unknown
  lodged(answer: unknown): CarrierResponse
  rejected(): CarrierResponse
  /** These consignments don't exist, are cancelled, or are in an order already. */
  refused(consignmentNumbers: readonly string[]): CarrierResponse
}

/**
 * Lodges the order or plays its scenario. Consignments are lodged all or not at all, in the order they were
 * named.
 */
export async function lodgeOrder(visit: Visit, asked: AskedOrder): Promise<CarrierResponse> {
  const numbers = [...new Set(asked.consignmentNumbers)]
  const found = await consignmentsOf(visit, numbers)
  const fate = manifestFateOf(found.map(({ merchantReference }) => merchantReference))
  if (fate === 'down') return { kind: 'not_sent', message: 'connection refused' }
  if (fate === 'rejected') {
    await record(visit, asked, 'rejected')
    return asked.rejected()
  }

  if (fate === 'slow') await visit.wait(SLOW_TAKE_MS)
  const response = await lodge(visit, asked, numbers, found)
  if (fate === 'slow') await visit.wait(SLOW_ANSWER_MS)
  if (fate !== 'lost-answer') return response

  await visit.wait(LOST_ANSWER_MS)
  return { kind: 'no_answer', message: 'connection reset' }
}

async function lodge(
  visit: Visit,
  asked: AskedOrder,
  numbers: readonly string[],
  found: readonly SandboxConsignment[],
): Promise<CarrierResponse> {
  const { accountId, carrier, store } = visit
  const orderId = newConsignmentNumber(asked.prefix)
  const answer = asked.answer(orderId, found)
  const { reference, once, findableAfterMs } = asked
  const order = { accountId, carrier, orderId, reference, answer, once, findableAfterMs }
  const made = await store.lodge({ ...order, consignmentNumbers: numbers, lodgedAtMs: visit.nowMs() })
  if (made) return asked.lodged(answer)

  await record(visit, asked, 'refused')
  const now = new Map((await consignmentsOf(visit, numbers)).map((one) => [one.consignmentNumber, one]))
  return asked.refused(
    numbers.filter((number) => {
      const one = now.get(number)
      return !one || one.cancelledAtMs !== null || (once && one.orderId !== null)
    }),
  )
}

async function consignmentsOf(visit: Visit, numbers: readonly string[]): Promise<SandboxConsignment[]> {
  const found = await visit.store.listByNumber(visit.accountId, visit.carrier, numbers)
  const byNumber = new Map(found.map((one) => [one.consignmentNumber, one]))
  return numbers.flatMap((number) => byNumber.get(number) ?? [])
}

function record(visit: Visit, { reference }: AskedOrder, outcome: SandboxOutcome): Promise<void> {
  return visit.store.record({
    accountId: visit.accountId,
    atMs: visit.nowMs(),
    carrier: visit.carrier,
    operation: 'manifest',
    reference,
    idempotencyKey: reference,
    outcome,
    consignmentNumber: null,
  })
}
