import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type Door, deliveryBody, doorOf, testDoor, usedBy } from '../../test/door.ts'
import type { World } from '../../test/world.ts'

const TOLD = 'select 1 from events where type = $1'
const amendment = { ready_for_pickup_at: '2026-11-24T16:00:00+11:00' }

test('an amend whose process died after its commit is answered again, not done again', async (t) => {
  const door = await testDoor(t, { work: false })
  const { json } = await door.call('POST /demo/deliveries', { body: deliveryBody() })
  const line = `PATCH /demo/deliveries/${json.data.id}/amend`
  const send = { body: amendment, headers: { 'idempotency-key': 'amend-1' } }
  await (await doorThatDiesAfter(t, door.world, TOLD, 'delivery.amended')).call(line, send)

  const again = await door.call(line, send)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'], again.text)
  assert.match(again.json.data.ready_for_pickup_at, /T16:00/)
  assert.deepEqual(await traces(door, 'delivery.amended', 'amendDelivery'), { events: 1, audited: 1 })
})

test('a link whose process died after its commit is given again, and no second SMS goes out', async (t) => {
  const door = await testDoor(t, { work: false })
  const { address, customer, parcels } = deliveryBody() as {
    address: { country: string }
    customer: object
    parcels: object[]
  }
  const { country: _, ...place } = address
  const line_items = [{ code: 'A', name: 'A', price_cents: 100, quantity: 1 }]
  const order = { store_reference: 'melbourne-cbd', reference: 'CC-1', customer, line_items, parcels }
  const send = { body: { ...order, address: place }, headers: { 'idempotency-key': 'link-1' } }
  await (await doorThatDiesAfter(t, door.world, TOLD, 'link.created')).call('POST /demo/links', send)

  const again = await door.call('POST /demo/links', send)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true'], again.text)
  assert.match(again.json.data.link, /\/l\//)
  assert.deepEqual(await traces(door, 'link.created', 'createLink'), { events: 1, audited: 1 })
  const { rows } = await door.world.deps.db.query(
    `select count(*)::int as sms from messages where kind = 'sms'`,
  )
  assert.equal(rows[0].sms, 1)
})

test('a client whose process died after its commit is shown again, secret and all, and is one', async (t) => {
  const door = await testDoor(t, { work: false })
  const line = 'POST /admin/accounts/demo/clients'
  const send = { body: { name: 'Till', scopes: ['quotes'] }, headers: { 'idempotency-key': 'client-1' } }
  const made = 'select 1 from api_clients where name = $1'
  await (await doorThatDiesAfter(t, door.world, made, 'Till')).operator(line, send)

  const again = await door.operator(line, send)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true'], again.text)
  const { client_id, client_secret } = again.json.data
  assert.ok(await door.tokenOf(client_id, client_secret))
  const { json } = await door.operator('GET /admin/accounts/demo/clients')
  assert.equal(json.data.filter(({ name }: { name: string }) => name === 'Till').length, 1)
})

test('a create that lost the database while it booked is answered at once when it is sent again', async (t) => {
  const door = await testDoor(t, { work: false })
  const send = { body: deliveryBody({ book_delivery_now: true }), headers: { 'idempotency-key': 'now-1' } }
  const failing = await usedBy(
    doorWith(t, door.world, (statement) => {
      if (statement === 'answer-key-of-delivery')
        throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
    }),
    door.world,
  )
  const first = await failing.call('POST /demo/deliveries', send)
  assert.deepEqual([first.status, first.headers['retry-after']], [503, '2'])
  const again = await door.call('POST /demo/deliveries', send)
  assert.deepEqual([again.status, again.json.data?.status], [201, 'booked'], again.text)
  const third = await door.call('POST /demo/deliveries', send)
  assert.equal(third.text, again.text)
})

/** Another process of the world, which asks the database nothing more once this finds what is committed. */
async function doorThatDiesAfter(
  t: { after(end: () => unknown): void },
  world: World,
  committed: string,
  what: string,
): Promise<Door> {
  const { db } = world.deps
  const alive = async (): Promise<void> => {
    const { rows } = await db.query(committed, [what])
    if (rows.length > 0) throw new Error('killed')
  }
  return usedBy(doorWith(t, world, alive), world)
}

/** Another process's door; `before` sees the name of each statement, and may throw. */
function doorWith(
  t: { after(end: () => unknown): void },
  world: World,
  before: (statement: string) => unknown,
): FastifyInstance {
  const db = new Proxy(world.deps.db, {
    get(pool, name) {
      if (name === 'query') {
        return async (...args: [{ name?: string }]) => {
          await before(args[0].name ?? '')
          return pool.query(...(args as unknown as [string]))
        }
      }
      if (name === 'connect') return async () => Promise.resolve(before('connect')).then(() => pool.connect())
      const value = Reflect.get(pool, name)
      return typeof value === 'function' ? value.bind(pool) : value
    },
  }) as pg.Pool
  const app = doorOf({ ...world, deps: { ...world.deps, db } })
  t.after(() => app.close())
  return app
}

async function traces({ world }: Door, type: string, action: string) {
  const { rows } = await world.deps.db.query(
    `select (select count(*)::int from events where type = $1) as events,
      (select count(*)::int from audit_log where action = $2) as audited`,
    [type, action],
  )
  return rows[0]
}
