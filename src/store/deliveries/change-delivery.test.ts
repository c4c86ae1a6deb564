import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest } from '../../../test/requests.ts'
import { createDelivery } from '../../operations/deliveries/create-delivery.ts'
import { changeDelivery, preparedWhenOften } from './change-delivery.ts'

test('a booking’s time is never before its request’s', async (t) => {
  const fixture = await testFixture(t)
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(
    fixture.deps,
    fixture.demo(),
    anyone,
    { ...deliveryRequest, reference: 'ORDER-1' },
    options,
  )
  const { rows } = await fixture.deps.db.query(
    `select delivery_id, requested_at from deliveries where reference = 'ORDER-1'`,
  )
  const requestedMs = rows[0].requested_at.getTime?.() ?? rows[0].requested_at
  const target = {
    accountId: 'demo',
    deliveryId: rows[0].delivery_id,
    guard: { statuses: ['requested'] as const },
  }
  const bookedAt = async (bookedMs: number | null) => {
    const row = await changeDelivery(
      fixture.deps.db,
      { ...target, nowMs: requestedMs },
      { booked_at: bookedMs },
    )
    return row?.booked_at
  }
  assert.equal(await bookedAt(requestedMs - 17), requestedMs)
  assert.equal(await bookedAt(requestedMs + 17), requestedMs + 17)
  assert.equal(await bookedAt(null), null)
})

test('a statement is prepared once it is frequent, under a stable name', () => {
  const named = preparedWhenOften('change')
  const use = (text: string, times: number) => Array.from({ length: times }, () => named(text).name ?? null)
  assert.deepEqual(new Set(use('rare', 20)), new Set([null]))
  assert.deepEqual(use('often', 22).slice(-3), [null, 'change/2', 'change/2'])
  assert.deepEqual(use('rare', 2), ['change/1', 'change/1'])
  assert.deepEqual(use('often', 1), ['change/2'])
})
