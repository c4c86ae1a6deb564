import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { listIntents } from '../../store/deliveries/booking-intents.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import {
  claimDelivery,
  claimDueDeliveries,
  deadLetterDelivery,
} from '../../store/deliveries/due-deliveries.ts'
import { QUARANTINE_SLOTS } from '../../store/leases/poison-row-quarantine.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { getDelivery } from '../delivery-lookup/get-delivery.ts'
import { assignCourier } from '../own-couriers/assign-courier.ts'
import { bookNow, bookSoon } from './book-now.ts'

test('a booking request during a worker’s attempt returns that attempt’s outcome', async (t) => {
  const { deps, demo } = await testFixture(t, { work: false })
  const named = { idOrReference: 'W-slow', storeReference: null }
  const request = {
    ...deliveryRequest,
    reference: 'W-slow',
    storeReference: 'melbourne-cbd',
    deliveryType: 'standard',
    readyForPickupAt: timestamp('2026-11-24T16:00:00+11:00'),
  } as const
  await createDelivery(deps, demo(), anyone, request, {
    idempotency: null,
    answer: () => ({ status: 201, headers: {}, body: '' }),
  })
  const [first, second] = await Promise.all([
    bookNow(deps, demo(), anyone, named),
    bookNow(deps, demo(), anyone, named),
  ])
  assert.deepEqual([first.status, second.status], ['booked', 'booked'])
  assert.equal(first.consignmentNumber, second.consignmentNumber)

  const { id } = await getDelivery(deps, demo(), anyone, named)
  assert.ok(
    await claimDelivery(deps.db, 'demo', id, { leaseMs: 1_000, nowMs: demo().nowMs() }),
    'nobody holds it any more',
  )
})

test('a delivery that was assigned to a staff courier meanwhile is not booked with a carrier', async (t) => {
  const { deps, demo } = await testFixture(t, { work: false })
  const named = { idOrReference: 'S-1', storeReference: null }
  const request = { ...deliveryRequest, reference: 'S-1', deliveryType: 'standard' } as const
  await createDelivery(deps, demo(), anyone, request, {
    idempotency: null,
    answer: () => ({ status: 201, headers: {}, body: '' }),
  })
  const { id } = await getDelivery(deps, demo(), anyone, named)
  const read = (await findDelivery(deps.db, 'demo', id)) ?? assert.fail()
  await assignCourier(
    deps,
    demo(),
    anyone,
    named,
    { phone: '0491570110', driverName: 'Sam', driverId: null },
    async () => null,
  )
  const offered = await findDelivery(deps.db, 'demo', id)
  const { status } = await bookSoon(deps, demo(), read)
  assert.equal(status, 'requested')
  const after = await findDelivery(deps.db, 'demo', id)
  assert.deepEqual([after?.due_at, after?.carrier_provider], [offered?.due_at, null])
  assert.deepEqual(await listIntents(deps.db, 'demo', id), [])
})

test('booking a dead-lettered delivery requeues it, even if the process dies', async (t) => {
  const { deps, demo } = await testFixture(t, { work: false })
  const named = { idOrReference: 'P-1', storeReference: null }
  const request = { ...deliveryRequest, reference: 'P-1', deliveryType: 'standard' } as const
  await createDelivery(deps, demo(), anyone, request, {
    idempotency: null,
    answer: () => ({ status: 201, headers: {}, body: '' }),
  })
  const { id } = await getDelivery(deps, demo(), anyone, named)
  const nowMs = demo().nowMs()
  const nows = { accountIds: ['demo'], nowsMs: [nowMs] }
  const one = { limit: 1, leaseMs: 30_000, suspects: QUARANTINE_SLOTS }
  const claimNext = async () => (await claimDueDeliveries(deps.db, nows, one))[0]
  await deps.db.query('update deliveries set due_at = $2, claims = 8 where delivery_id = $1', [
    id,
    new Date(nowMs),
  ])
  const { fence } = (await claimNext()) ?? assert.fail('it is due')
  await deadLetterDelivery(
    deps.db,
    { accountId: 'demo', deliveryId: id, fence },
    { reason: 'Taken out of the queue.', nowMs },
  )
  assert.equal(await claimNext(), undefined)

  assert.ok(await claimDelivery(deps.db, 'demo', id, { leaseMs: -1, nowMs }), 'by a process that dies now')
  const next = (await claimNext()) ?? assert.fail('it is due again')
  assert.deepEqual([next.delivery_id, next.claims], [id, 2], 'with its tries')
})
