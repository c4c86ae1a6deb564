import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryRequest, timestamp } from '../../test/requests.ts'
import { anyone, testWorld } from '../../test/world.ts'
import { claimDelivery } from '../store/due-deliveries.ts'
import { bookNow } from './book-now.ts'
import { createDelivery } from './create-delivery.ts'
import { getDelivery } from './get-delivery.ts'

test('who asks to book what a worker is booking hears how that ends', async (t) => {
  const { deps, demo } = await testWorld(t, { work: false })
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
  assert.ok(await claimDelivery(deps.db, 'demo', id, 1_000), 'nobody holds it any more')
})
