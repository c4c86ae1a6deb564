import assert from 'node:assert/strict'
import type { Fixture } from '../fixture.ts'
import { activeBookingsAt, letTimePass } from './crash-fixture.ts'
import { doWork } from './work.ts'

const MAX_TURNS = 8

/** Runs workers until nothing waits; fails unless the carriers' ledgers then match our records. */
export async function checkAtRest(fixture: Fixture, deliveryId: string, what: string): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    await letTimePass(fixture, deliveryId)
    const { rows } = await fixture.deps.db.query(
      `select 1 from deliveries where delivery_id = $1 and (status = 'requested' or cancel_requested_at is not null
         or (status = 'on_hold' and due_at is not null))`,
      [deliveryId],
    )
    if (rows.length === 0) break
    await doWork(fixture.deps, { deliveryId, task: 'turn' })
  }
  const { rows } = await fixture.deps.db.query(
    `select reference, status, status_reason, consignment_number, pending_attempt, dead_lettered_at
     from deliveries where delivery_id = $1`,
    [deliveryId],
  )
  const [delivery] = rows
  const active = await activeBookingsAt(fixture, delivery.reference)
  assert.ok(active.length <= 1, `${what}: ${active} are active`)
  const context = `${what}: ${delivery.status}, ${delivery.status_reason}`
  assert.equal(delivery.dead_lettered_at, null, context)
  if (delivery.status === 'booked') {
    assert.deepEqual(active, [delivery.consignment_number], context)
  } else {
    assert.ok(['on_hold', 'cancelled'].includes(delivery.status), context)
    if (delivery.pending_attempt === null) assert.equal(active.length, 0, context)
  }
}
