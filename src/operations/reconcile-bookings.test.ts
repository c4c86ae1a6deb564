import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type AuspostWorld, auspostWorld } from '../../test/auspost-world.ts'
import { read } from '../../test/booked-deliveries.ts'
import { wholeStore } from '../../test/manifest-requests.ts'
import { deliveryRequest, timestamp } from '../../test/requests.ts'
import { until } from '../../test/until.ts'
import { anyone } from '../../test/world.ts'
import { listIntents } from '../store/booking-intents.ts'
import { createDelivery } from './create-delivery.ts'
import { deliveryTimeline } from './delivery-timeline.ts'
import { manifestStore } from './manifest-store.ts'
import { requestCancel } from './request-cancel.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test('a booking that a list missed once is cancelled when it turns up, and never the one in use', async (t) => {
  const auspost = await auspostWorld(t)
  const { id, first, second } = await bookedTwice(auspost, 'TWICE-1')
  assert.deepEqual(standing(auspost), [first, second])

  await auspost.advance(11 * MINUTE_MS)
  await until(() => !standing(auspost).includes(first), 'the surplus booking is cancelled')
  assert.deepEqual(standing(auspost), [second])
  const told = await until(() => surplusTold(auspost, id), 'its merchant is told')
  assert.match(told.detail ?? '', /Australia Post turned out to hold our booking .*-1 as .*: it was cancelled there\.$/)
  const delivery = await read(auspost.world, 'TWICE-1')
  assert.deepEqual([delivery.status, delivery.attention], ['booked', null])

  const before = looked(auspost, 1)
  await auspost.advance(48 * HOUR_MS)
  await settled(auspost)
  assert.equal(looked(auspost, 1), before, 'once it is found, it is looked for no more')
  assert.deepEqual(standing(auspost), [second])
})

/** Booked under `-1`, of which the answer was lost and a list said nothing once, and therefore under `-2` too. */
async function bookedTwice(auspost: AuspostWorld, reference: string) {
  auspost.fake.faults.add({ operation: 'create_shipments', kind: 'lost' })
  auspost.fake.faults.add({ operation: 'get_shipments', kind: 'empty' })
  await create(auspost, reference)
  const delivery = await until(async () => {
    const now = await read(auspost.world, reference)
    return now.status === 'booked' && now
  }, `${reference} is booked`)
  const [first, second] = shipmentsOf(auspost, delivery.id)
  assert.ok(first && second, 'it stands under two keys')
  return { id: delivery.id, first, second }
}

function create({ world }: AuspostWorld, reference: string) {
  const request = {
    ...deliveryRequest,
    storeReference: 'melbourne-cbd',
    readyForPickupAt: timestamp('2026-11-24T10:10:00+11:00'),
    deliveryType: 'standard' as const,
    reference,
  }
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  return createDelivery(world.deps, world.demo(), anyone, request, options)
}

/** Ids of what was ever made for a delivery, in the order of its keys. */
function shipmentsOf({ fake }: AuspostWorld, id: string): string[] {
  return fake.ledger
    .entries({ what: 'shipment_created' })
    .filter(({ sender_references }) => String(sender_references).startsWith(id))
    .map(({ shipment_id }) => String(shipment_id))
}

/** Ids of what was made and not deleted. */
function standing({ fake }: AuspostWorld): string[] {
  const idsOf = (what: string) => fake.ledger.entries({ what }).map(({ shipment_id }) => String(shipment_id))
  const gone = new Set(idsOf('shipment_deleted'))
  return idsOf('shipment_created').filter((one) => !gone.has(one))
}

/** How often the carrier was asked for an attempt. */
function looked({ fake }: AuspostWorld, attempt: number): number {
  const asked = new RegExp(`sender_reference=dlv_[0-9a-z]+-${attempt}$`)
  return fake.ledger.entries({ what: 'request' }).filter(({ query }) => asked.test(String(query))).length
}

async function surplusTold({ world }: AuspostWorld, id: string) {
  const events = await deliveryTimeline(world.deps, world.demo(), anyone, { idOrReference: id, storeReference: null })
  return events.find(({ detail }) => detail?.includes('which had been given up'))
}

/** Until nothing is due to be looked for. */
function settled({ world }: AuspostWorld) {
  return until(async () => {
    const { rows } = await world.deps.db.query(
      `select from booking_intents where due_at <= $1 limit 1`,
      [new Date(world.demo().nowMs()).toISOString()],
    )
    return rows.length === 0
  }, 'all that is due has been looked for')
}
