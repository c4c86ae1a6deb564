import type { CarrierResponse } from '../../port/send.ts'
import type { SandboxConsignment, SandboxOutcome } from './sandbox-store.ts'
import { manifestScenarioOf } from './scenario.ts'
import type { Visit } from './server.ts'
import { LOST_ANSWER_MS, newConsignmentNumber, SLOW_ANSWER_MS, SLOW_TAKE_MS } from './take-booking.ts'

/** An order as a carrier parsed it, and how that carrier formats each possible response. */
export type OrderRequest = {
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
export async function lodgeOrder(visit: Visit, request: OrderRequest): Promise<CarrierResponse> {
  const numbers = [...new Set(request.consignmentNumbers)]
  const found = await consignmentsOf(visit, numbers)
  const scenario = manifestScenarioOf(found.map(({ merchantReference }) => merchantReference))
  if (scenario === 'down') return { kind: 'not_sent', message: 'connection refused' }
  if (scenario === 'rejected') {
    await record(visit, request, 'rejected')
    return request.rejected()
  }

  if (scenario === 'slow') await visit.wait(SLOW_TAKE_MS)
  const response = await lodge(visit, request, numbers, found)
  if (scenario === 'slow') await visit.wait(SLOW_ANSWER_MS)
  if (scenario !== 'lost-answer') return response

  await visit.wait(LOST_ANSWER_MS)
  return { kind: 'no_answer', message: 'connection reset' }
}

async function lodge(
  visit: Visit,
  request: OrderRequest,
  numbers: readonly string[],
  found: readonly SandboxConsignment[],
): Promise<CarrierResponse> {
  const { accountId, carrier, store } = visit
  const orderId = newConsignmentNumber(request.prefix)
  const answer = request.answer(orderId, found)
  const { reference, once, findableAfterMs } = request
  const order = { accountId, carrier, orderId, reference, answer, once, findableAfterMs }
  const isLodged = await store.lodge({ ...order, consignmentNumbers: numbers, lodgedAtMs: visit.nowMs() })
  if (isLodged) return request.lodged(answer)

  await record(visit, request, 'refused')
  const current = new Map((await consignmentsOf(visit, numbers)).map((one) => [one.consignmentNumber, one]))
  return request.refused(
    numbers.filter((number) => {
      const one = current.get(number)
      return !one || one.cancelledAtMs !== null || (once && one.orderId !== null)
    }),
  )
}

async function consignmentsOf(visit: Visit, numbers: readonly string[]): Promise<SandboxConsignment[]> {
  const found = await visit.store.listByNumber(visit.accountId, visit.carrier, numbers)
  const byNumber = new Map(found.map((one) => [one.consignmentNumber, one]))
  return numbers.flatMap((number) => byNumber.get(number) ?? [])
}

function record(visit: Visit, { reference }: OrderRequest, outcome: SandboxOutcome): Promise<void> {
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
