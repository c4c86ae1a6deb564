import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { good } from '../../harness/http.ts'
import { LEAD_MS, type Model, type ModelDelivery, OFFER_MS, type Real } from './model.ts'

const PATIENCE_MS = 60_000
const LOOK_MS = 15

/** Effects of time alone: bookings become due, offers expire. */
export function passTime(model: Model): void {
  for (const one of model.deliveries) {
    if (one.status !== 'requested') continue
    if (one.kind === 'own' && model.nowMs >= one.offeredMs + OFFER_MS) one.status = 'on_hold'
    if (one.kind !== 'own' && model.nowMs >= one.readyMs - LEAD_MS) one.status = 'booked'
  }
}

/** Waits until every delivery matches the model; workers need a moment. */
export async function compare(model: Model, real: Real): Promise<void> {
  await Promise.all(model.deliveries.map((delivery) => compareOne(model, real, delivery)))
}

async function compareOne(model: Model, real: Real, delivery: ModelDelivery): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await good(real.ask(`GET /demo/deliveries/${delivery.id}`))
    const difference = differenceOf(model, delivery, found)
    if (difference === null) return
    const isEarly = isOnItsWay(delivery, found.status)
    assert.ok(
      isEarly && performance.now() < endMs,
      `${delivery.reference} in ${delivery.store}: ${difference}`,
    )
    await sleep(LOOK_MS)
  }
}

/** A booked carrier collects when the goods are ready; no run lasts until it delivers. */
export function mayBeCollected(model: Model, { kind, status, readyMs }: ModelDelivery): boolean {
  return kind !== 'own' && status === 'booked' && model.nowMs >= readyMs
}

// biome-ignore lint/suspicious/noExplicitAny: a client parses the response.
function differenceOf(model: Model, delivery: ModelDelivery, found: any): string | null {
  const statuses: string[] = mayBeCollected(model, delivery) ? ['booked', 'collected'] : [delivery.status]
  const actual = {
    reference: found.reference,
    store: found.store_reference,
    instructions: found.special_instructions,
  }
  const expected = {
    reference: delivery.reference,
    store: delivery.store,
    instructions: delivery.instructions,
  }
  if (!statuses.includes(found.status)) return `is ${found.status}, expected ${statuses.join(' or ')}`
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    return `is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`
  if (delivery.manifested && found.manifest_status !== 'manifested') return `is ${found.manifest_status}`
  if (!delivery.manifested && found.manifest_status === 'manifested') return 'is manifested'
  const consigned = found.consignment_number !== undefined
  if (['booked', 'assigned'].includes(delivery.status) && !consigned) return 'has no consignment number'
  return null
}

/** Whether a worker may still have to act on the delivery. */
function isOnItsWay(delivery: ModelDelivery, status: string): boolean {
  return status === 'requested' || delivery.manifested
}
