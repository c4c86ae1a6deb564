import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'

import { type Door, deliveryBody, doorOf, type Reply, testDoor, usedBy } from '../../../../test/door.ts'
import { doorThatDiesAfter } from '../../../../test/dying-door.ts'
import { pallet } from '../../../../test/lost-booking.ts'
import { until } from '../../../../test/until.ts'
import type { Deps } from '../../../operations/context/deps.ts'
import { closeServer } from '../../server/stop.ts'

const CAME_TO = 'select 1 from events where stream = $1 and to_status = '
const keyed = (key: string, body: object = {}) => ({ body, headers: { 'idempotency-key': key } })

test('a booking whose process died is answered as it stands by then', async (t) => {
  const door = await testDoor(t, { work: false })
  const { world } = door

  await t.test('booked', async () => {
    const { id } = await made(door)
    const line = `PATCH /demo/deliveries/${id}/book`
    const dying = await doorThatDiesAfter(t, world, `${CAME_TO}'booked'`, id)
    assert.equal((await dying.call(line, keyed('booked'))).status, 500)
    assert.equal((await door.call(line, keyed('booked'))).json.code, 'idempotency_in_progress')
    await lockEnds(door)
    const again = await door.call(line, keyed('booked'))
    assert.deepEqual([again.status, again.json.data?.status], [200, 'booked'], again.text)
    assert.equal(await times(door, id, 'booked'), 1)
    assert.equal((await door.call(line, keyed('booked'))).text, again.text)
    assert.equal((await door.call(line, keyed('another'))).json.code, 'not_bookable')
  })

  await t.test('not even asked for: it is booked now', async () => {
    const id = await held(door)
    const line = `PATCH /demo/deliveries/${id}/book`
    const dying = await doorThatDiesAfter(
      t,
      world,
      'select 1 from idempotency_keys where key = $1',
      'unasked',
    )
    assert.equal((await dying.call(line, keyed('unasked'))).status, 500)
    await lockEnds(door)
    const again = await door.call(line, keyed('unasked'))
    assert.deepEqual([again.status, again.json.data?.status], [200, 'booked'], again.text)
  })

  await t.test('on hold anew since: nobody is asked once more', async () => {
    const id = await held(door)
    const line = `PATCH /demo/deliveries/${id}/book`
    const requested = `select 1 from deliveries where delivery_id = $1 and status = 'requested'`
    const dying = await doorThatDiesAfter(t, world, requested, id)
    assert.equal((await dying.call(line, keyed('refused'))).status, 500)
    await hold(door, id)
    await lockEnds(door)
    const again = await door.call(line, keyed('refused'))
    assert.deepEqual([again.status, again.json.data?.status], [200, 'on_hold'], again.text)
  })
})

test('what was asked back for a request that died, or was told to ask again, is asked back once', async (t) => {
  const door = await testDoor(t, { work: false })
  const { world } = door

  await t.test('its process died, and a worker has booked it elsewhere since', async () => {
    const { id, first } = await booked(door)
    const line = `PATCH /demo/deliveries/${id}/reassign`
    const dying = await doorThatDiesAfter(t, world, `${CAME_TO}'reassigned'`, id)
    assert.equal((await dying.call(line, keyed('died'))).status, 500)
    await door.call(`PATCH /demo/deliveries/${id}/book`)
    await lockEnds(door)
    await givenOnce(door, id, first, await door.call(line, keyed('died')))
  })

  await t.test('its process died, and nobody has booked it yet', async () => {
    const { id, first } = await booked(door)
    const line = `PATCH /demo/deliveries/${id}/reassign`
    const dying = await doorThatDiesAfter(t, world, `${CAME_TO}'reassigned'`, id)
    assert.equal((await dying.call(line, keyed('alone'))).status, 500)
    await lockEnds(door)
    await givenOnce(door, id, first, await door.call(line, keyed('alone')))
  })

  await t.test('its carrier was silent, and has let it go since', async () => {
    const { id, first } = await booked(door)
    const line = `PATCH /demo/deliveries/${id}/reassign`
    const silent = await silentDoor(t, door)
    assert.equal((await silent.call(line, keyed('silent'))).json.code, 'cancellation_pending')
    assert.equal((await silent.call(line, keyed('silent'))).json.code, 'cancellation_pending', 'asked again')
    const body = { reason: 'too slow' }
    assert.equal((await silent.call(line, keyed('silent', body))).json.code, 'idempotency_key_reused')
    assert.equal((await door.call(line)).json.data.status, 'booked')
    await givenOnce(door, id, first, await silent.call(line, keyed('silent')))
  })
})

test('a manifest whose settling died is answered as it was settled', async (t) => {
  const door = await testDoor(t, { work: false })
  const { world } = door
  await made(door, { reference: 'M-lost-answer-manifest', parcels: [pallet], book_delivery_now: true })
  const [{ id }] = (
    await door.call('POST /demo/store-manifests', {
      body: { store_reference: 'melbourne-cbd', create_manifest_now: true },
    })
  ).json.data
  // A request waits for at most 8 s; the submission continues afterwards.
  await until(async () => {
    const { data } = (await door.call(`GET /demo/manifests/${id}`)).json
    return data.status === 'on_hold'
  }, 'it is on hold')
  const line = `PATCH /demo/manifests/${id}/settle-submit`
  const settle = (by: Door, order_id: string) => by.call(line, keyed('m', { submitted: true, order_id }))
  const submitted = `select 1 from manifests where manifest_id = $1 and state = 'submitted'`
  assert.equal((await settle(await doorThatDiesAfter(t, world, submitted, id), 'BHM-9')).status, 500)
  await lockEnds(door)
  const again = await settle(door, 'BHM-9')
  assert.deepEqual([again.status, again.json.data?.status], [200, 'submitted'], again.text)
  const other = await door.call(line, { body: { submitted: true, order_id: 'BHM-9' } })
  assert.equal(other.json.code, 'manifest_outcome_known')
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads any response.
async function made({ call }: Door, over: object = {}): Promise<any> {
  const { status, json, text } = await call('POST /demo/deliveries', { body: deliveryBody(over) })
  assert.equal(status, 201, text)
  return json.data
}

async function held(door: Door): Promise<string> {
  const { id } = await made(door)
  await hold(door, id)
  return id
}

async function hold({ world }: Door, id: string): Promise<void> {
  const statement = `update deliveries set status = 'on_hold', due_at = null where delivery_id = $1`
  await world.deps.db.query(statement, [id])
}

async function booked(door: Door): Promise<{ id: string; first: string }> {
  const { id, status, provider } = await made(door, { book_delivery_now: true })
  assert.equal(status, 'booked')
  return { id, first: provider }
}

/** The response shows the booking with another carrier, and no third carrier was asked. */
async function givenOnce(
  door: Door,
  id: string,
  first: string,
  { status, json, text }: Reply,
): Promise<void> {
  assert.deepEqual([status, json.data?.status], [200, 'booked'], text)
  assert.notEqual(json.data.provider, first)
  assert.equal(await times(door, id, 'reassigned'), 1)
  const { json: now } = await door.call(`GET /demo/deliveries/${id}`)
  assert.equal(now.data.consignment_number, json.data.consignment_number)
}

async function times({ world }: Door, id: string, status: string): Promise<number> {
  const { rows } = await world.deps.db.query(
    'select count(*)::int as n from events where stream = $1 and to_status = $2',
    [id, status],
  )
  return rows[0].n
}

/** The key's first request died a minute ago. */
async function lockEnds({ world }: Door): Promise<void> {
  await world.deps.db.query(
    `update idempotency_keys set locked_until = now() - interval '1 s' where status is null`,
  )
}

/** Another process's door, whose carriers say nothing when they are asked to let a delivery go. */
async function silentDoor(t: TestContext, { world }: Door): Promise<Door> {
  const deps: Deps = {
    ...world.deps,
    carrierOf(accountId, provider) {
      const carrier = world.deps.carrierOf(accountId, provider)
      return carrier && { ...carrier, cancel: async () => ({ kind: 'unknown', message: 'nothing' }) }
    },
  }
  const app = doorOf({ ...world, deps })
  t.after(() => closeServer(app, { drainMs: 0, withinMs: 500 }))
  return usedBy(app, world)
}
