import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Door, deliveryBody, testDoor } from '../../test/door.ts'

/** Ended by hand, as a carrier would have: what is tested is how it is counted. */
async function end(door: Door, reference: string, cameAt: string, status = 'delivered'): Promise<void> {
  const { rowCount } = await door.world.deps.db.query(
    `update deliveries set status = $2, due_at = null, updated_at = $3, carrier_event_at = $3 where reference = $1`,
    [reference, status, cameAt],
  )
  assert.equal(rowCount, 1)
}

test('insights count what ended: cost, when it came, stores, and the rules that kept services out', async (t) => {
  const door = await testDoor(t, { work: false })
  for (const [reference, over] of [
    ['inside', {}],
    ['late', {}],
    ['back', { store_reference: 'fitzroy' }],
    ['before', {}],
    ['open', {}],
  ] as const) {
    const body = deliveryBody({
      reference,
      delivery_type: 'flexible',
      ready_for_pickup_at: '2026-11-24T10:00:00',
      ...over,
    })
    const { status, text } = await door.call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
  }
  // TODAY is promised from 2 to 8 pm.
  await end(door, 'inside', '2026-11-24T14:00:00+11:00')
  await end(door, 'late', '2026-11-24T20:10:00+11:00')
  await end(door, 'back', '2026-11-24T15:00:00+11:00', 'returned')
  await end(door, 'before', '2026-10-20T15:00:00+11:00')

  const { json } = await door.call('GET /demo/insights?from=2026-11-01&to=2026-11-24')
  const { total, before, services, weeks, stores, kept_out } = json.data
  assert.deepEqual(total, {
    deliveries: 3,
    returned: 1,
    timed: 2,
    early: 0,
    inside: 1,
    late: 1,
    cost_cents: 2_370,
  })
  assert.equal(before.deliveries, 1)
  assert.equal(services.length, 1)
  assert.deepEqual(services[0].bins, [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
  assert.deepEqual(weeks, [
    { week: '2026-11-23', provider: 'swiftly', service: 'TODAY', deliveries: 3, cost_cents: 2_370 },
  ])
  assert.deepEqual(
    stores.map((one: { store_reference: string; deliveries: number }) => [
      one.store_reference,
      one.deliveries,
    ]),
    [
      ['melbourne-cbd', 2],
      ['fitzroy', 1],
    ],
  )
  const freight = kept_out.find(({ service }: { service: string }) => service === 'FREIGHT')
  assert.deepEqual(freight ?? null, null, 'another type was asked for: that is no rule that keeps out')

  const one = await door.call('GET /demo/insights?store_reference=fitzroy')
  assert.equal(one.json.data.total.deliveries, 1)
  assert.equal(one.json.data.from, '2026-10-28')
})

test('a period must be one', async (t) => {
  const door = await testDoor(t, { work: false })
  for (const query of [
    'from=2026-11-25&to=2026-11-24',
    'from=2024-01-01&to=2026-01-01',
    'from=2026-02-30',
    'store_reference=none',
  ]) {
    assert.equal((await door.call(`GET /demo/insights?${query}`)).status, 422, query)
  }
})
