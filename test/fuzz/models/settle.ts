import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { good } from '../fleet.ts'
import { type Kept, LEAD_MS, type Model, OFFER_MS, type Real } from './model.ts'

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

/** Waits until every delivery is as the model has it; workers need a moment. */
export async function compare(model: Model, real: Real): Promise<void> {
  await Promise.all(model.deliveries.map((kept) => compareOne(model, real, kept)))
}

async function compareOne(model: Model, real: Real, kept: Kept): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await good(real.ask(`GET /demo/deliveries/${kept.id}`))
    const difference = differenceOf(model, kept, found)
    if (difference === null) return
    const isEarly = isOnItsWay(kept, found.status)
    assert.ok(isEarly && performance.now() < endMs, `${kept.reference} in ${kept.store}: ${difference}`)
    await sleep(LOOK_MS)
  }
}

/** A booked carrier collects when the goods are ready; no run lasts until it delivers. */
export function mayBeCollected(model: Model, { kind, status, readyMs }: Kept): boolean {
  return kind !== 'own' && status === 'booked' && model.nowMs >= readyMs
}

// biome-ignore lint/suspicious/noExplicitAny: a client parses the response.
function differenceOf(model: Model, kept: Kept, found: any): string | null {
  const statuses: string[] = mayBeCollected(model, kept) ? ['booked', 'collected'] : [kept.status]
  const told = { reference: found.reference, store: found.store_reference, says: found.special_instructions }
  const thought = { reference: kept.reference, store: kept.store, says: kept.instructions }
  if (!statuses.includes(found.status)) return `is ${found.status}, thought ${statuses.join(' or ')}`
  if (JSON.stringify(told) !== JSON.stringify(thought))
    return `is ${JSON.stringify(told)}, thought ${JSON.stringify(thought)}`
  if (kept.manifested && found.manifest_status !== 'manifested') return `is ${found.manifest_status}`
  if (!kept.manifested && found.manifest_status === 'manifested') return 'is manifested'
  const consigned = found.consignment_number !== undefined
  if (['booked', 'assigned'].includes(kept.status) && !consigned) return 'has no consignment number'
  return null
}

/** No worker has done it yet. */
function isOnItsWay(kept: Kept, status: string): boolean {
  return status === 'requested' || kept.manifested
}
