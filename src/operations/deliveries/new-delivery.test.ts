import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest } from '../../../test/requests.ts'
import type { NewDelivery } from '../../store/deliveries/create-deliveries.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { createDelivery } from './create-delivery.ts'
import { toNewRow } from './new-delivery.ts'

test('the row of a new delivery is the row that a read returns', async (t) => {
  const { deps, demo } = await testFixture(t, { work: false })
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const made: NewDelivery[] = []
  const recording = {
    ...deps,
    createDelivery: async (given: NewDelivery) => {
      made.push(given)
      await deps.createDelivery(given)
      // Not created, as far as the request knows: then it does not book it either.
      return false
    },
  }
  for (const [reference, bookDeliveryNow] of [
    ['LATER', false],
    ['NOW', true],
  ] as const) {
    const request = { ...deliveryRequest, reference, bookDeliveryNow }
    await assert.rejects(createDelivery(recording, demo(), anyone, request, options))
  }
  assert.equal(made.length, 2)
  for (const one of made)
    assert.deepEqual(
      toNewRow(one),
      await findDelivery(deps.db, one.account_id, one.delivery_id),
      one.reference,
    )
})
