import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody } from '../../../../test/api.ts'
import { ADMIN, apiWithPeople, CLERK, person } from '../../../../test/people.ts'

const ONE = '/admin/accounts/demo'
const SATURDAY = '2026-11-28T10:00:00+11:00'

test('a document is simulated on waiting deliveries and on last week, and nothing changes', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  await api.fixture.setClock(Date.parse('2026-11-24T10:00:00+11:00'))
  const admin = await person(api, ADMIN)
  const clerk = await person(api, CLERK)
  const create = async (reference: string, over: object = {}) => {
    const body = { ...deliveryBody({ reference, ready_for_pickup_at: SATURDAY }), ...over }
    const { status, json, text } = await api.call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
    return json.data ?? json.delivery ?? json
  }
  const first = await create('SAT-1')
  await create('SAT-2')
  await create('OWN-1', {
    use_staff_couriers: true,
    staff_courier: { driver_name: 'Sam', phone: '0491570158' },
  })
  const { json: document } = await admin.call(`GET ${ONE}`)
  const store = document.stores.findIndex(
    ({ reference }: { reference: string }) => reference === deliveryBody().store_reference,
  )
  const simulate = (body: object, query = '?last_week=true', by = admin) =>
    by.call(`POST ${ONE}/simulate${query}`, { body })

  const same = await simulate(document)
  assert.equal(same.status, 200, JSON.stringify(same.json))
  const { unbooked, last_week: week } = same.json.data
  assert.deepEqual([unbooked.deliveries, unbooked.changed_deliveries, unbooked.changed], [2, 0, []])
  assert.deepEqual([week.deliveries, week.changed_deliveries, week.unavailable_deliveries], [2, 0, 0])
  assert.equal(week.cost_cents_before, week.cost_cents_after)

  const closed = structuredClone(document)
  closed.stores[store].hours.sat = 'closed'
  const moved = (await simulate(closed, '')).json.data
  assert.equal(moved.last_week, undefined)
  assert.equal(moved.unbooked.changed_deliveries, 2)
  const [{ promised, before, after, id }] = moved.unbooked.changed.toReversed()
  assert.equal(id, first.id)
  assert.deepEqual(promised, before.window, 'the window that the customer was promised')
  assert.equal(before.window.from.slice(0, 10), '2026-11-28')
  assert.ok(after.window.from.slice(0, 10) > '2026-11-28', after.window.from)

  const chosen = before.provider
  const without = {
    ...document,
    carriers: document.carriers.filter(({ provider }: { provider: string }) => provider !== chosen),
  }
  const other = (await simulate(without)).json.data.last_week
  assert.equal(other.changed_deliveries, 2)
  assert.ok(other.changed.every(({ after }: { after: { provider: string } }) => after.provider !== chosen))
  const [sumBefore, sumAfter] = ['cost_cents_before', 'cost_cents_after'].map((field) =>
    other.services.reduce((sum: number, one: Record<string, number>) => sum + (one[field] ?? 0), 0),
  )
  assert.deepEqual([sumBefore, sumAfter], [other.cost_cents_before, other.cost_cents_after])

  const live = without.carriers.map(({ services, ...carrier }: { services: object[] }) => ({
    ...{ ...carrier, live_prices: true },
    services: services.map((service) => ({ ...service, price: undefined, rate_card: undefined })),
  }))
  const unknown = (await simulate({ ...without, carriers: live })).json.data
  const { last_week: unpriced } = unknown
  assert.deepEqual(
    [unpriced.deliveries, unpriced.unavailable_deliveries, unpriced.unknown_deliveries],
    [0, 0, 2],
  )
  assert.deepEqual(unpriced.unknown[0].unknown_carriers, unknown.unbooked.changed[0].unknown_carriers)
  assert.ok(unpriced.unknown[0].unknown_carriers.length > 0)

  const gone = structuredClone(document)
  gone.stores.splice(store, 1)
  const none = (await simulate(gone)).json.data
  assert.deepEqual(
    [none.unbooked.changed[0].after, none.unbooked.changed[0].reason, none.last_week.unavailable_deliveries],
    [null, 'The new settings remove the store.', 2],
  )

  const { db } = api.fixture.deps
  const comparedLastWeek = async () => (await simulate(document)).json.data.last_week.deliveries
  await db.query(`update deliveries set status = 'cancelled', due_at = null where reference = 'SAT-1'`)
  assert.equal(await comparedLastWeek(), 1, 'without the cancelled one')
  await db.query(`update deliveries set erased_at = now() where reference = 'SAT-2'`)
  assert.equal(await comparedLastWeek(), 0, 'without the erased one')

  assert.deepEqual((await simulate({ ...document, name: 7 })).status, 422)
  assert.equal((await simulate(document, '', clerk)).status, 403)
  assert.equal((await admin.call(`GET ${ONE}/versions`)).json.data.length, 1)
})
