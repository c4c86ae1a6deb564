import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'

import { type Api, apiOf, deliveryBody, type Reply, testApi, usedBy } from '../../../../test/api.ts'
import { apiThatCrashesAfter } from '../../../../test/crashing-api.ts'
import { pallet } from '../../../../test/lost-booking.ts'
import { until } from '../../../../test/wait-until.ts'
import type { Deps } from '../../../operations/deps.ts'
import { closeServer } from '../../server/stop.ts'

const REACHED_STATUS = 'select 1 from events where stream = $1 and to_status = '
const keyed = (key: string, body: object = {}) => ({ body, headers: { 'idempotency-key': key } })

test('a retry after a crash returns the booking’s current state', async (t) => {
  const api = await testApi(t, { work: false })
  const { fixture } = api

  await t.test('the crash came after the booking', async () => {
    const { id } = await createDelivery(api)
    const line = `PATCH /demo/deliveries/${id}/book`
    const crashing = await apiThatCrashesAfter(t, fixture, `${REACHED_STATUS}'booked'`, id)
    assert.equal((await crashing.call(line, keyed('booked'))).status, 500)
    assert.equal((await api.call(line, keyed('booked'))).json.code, 'idempotency_in_progress')
    await waitForLock(api)
    const again = await api.call(line, keyed('booked'))
    assert.deepEqual([again.status, again.json.data?.status], [200, 'booked'], again.text)
    assert.equal(await countTransitions(api, id, 'booked'), 1)
    assert.equal((await api.call(line, keyed('booked'))).text, again.text)
    assert.equal((await api.call(line, keyed('another'))).json.code, 'not_bookable')
  })

  await t.test('the crash came before the request to the carrier: the retry books', async () => {
    const id = await createHeldDelivery(api)
    const line = `PATCH /demo/deliveries/${id}/book`
    const crashing = await apiThatCrashesAfter(
      t,
      fixture,
      'select 1 from idempotency_keys where key = $1',
      'unasked',
    )
    assert.equal((await crashing.call(line, keyed('unasked'))).status, 500)
    await waitForLock(api)
    const again = await api.call(line, keyed('unasked'))
    assert.deepEqual([again.status, again.json.data?.status], [200, 'booked'], again.text)
  })

  await t.test('the delivery went on hold again after the crash: the retry calls no carrier', async () => {
    const id = await createHeldDelivery(api)
    const line = `PATCH /demo/deliveries/${id}/book`
    const requested = `select 1 from deliveries where delivery_id = $1 and status = 'requested'`
    const crashing = await apiThatCrashesAfter(t, fixture, requested, id)
    assert.equal((await crashing.call(line, keyed('refused'))).status, 500)
    await hold(api, id)
    await waitForLock(api)
    const again = await api.call(line, keyed('refused'))
    assert.deepEqual([again.status, again.json.data?.status], [200, 'on_hold'], again.text)
  })
})

test('a retried reassignment, after a crash or a carrier’s silence, cancels the first booking once', async (t) => {
  const api = await testApi(t, { work: false })
  const { fixture } = api

  await t.test('the process crashed, and a worker has booked another carrier since', async () => {
    const { id, first } = await createBookedDelivery(api)
    const line = `PATCH /demo/deliveries/${id}/reassign`
    const crashing = await apiThatCrashesAfter(t, fixture, `${REACHED_STATUS}'reassigned'`, id)
    assert.equal((await crashing.call(line, keyed('died'))).status, 500)
    await api.call(`PATCH /demo/deliveries/${id}/book`)
    await waitForLock(api)
    await assertReassignedOnce(api, id, first, await api.call(line, keyed('died')))
  })

  await t.test('the process crashed, and nobody has booked another carrier yet', async () => {
    const { id, first } = await createBookedDelivery(api)
    const line = `PATCH /demo/deliveries/${id}/reassign`
    const crashing = await apiThatCrashesAfter(t, fixture, `${REACHED_STATUS}'reassigned'`, id)
    assert.equal((await crashing.call(line, keyed('alone'))).status, 500)
    await waitForLock(api)
    await assertReassignedOnce(api, id, first, await api.call(line, keyed('alone')))
  })

  await t.test('the carrier did not answer at first, and has cancelled since', async () => {
    const { id, first } = await createBookedDelivery(api)
    const line = `PATCH /demo/deliveries/${id}/reassign`
    const silentCarriersApi = await apiWithSilentCarriers(t, api)
    assert.equal((await silentCarriersApi.call(line, keyed('silent'))).json.code, 'cancellation_pending')
    assert.equal(
      (await silentCarriersApi.call(line, keyed('silent'))).json.code,
      'cancellation_pending',
      'asked again',
    )
    const body = { reason: 'too slow' }
    assert.equal(
      (await silentCarriersApi.call(line, keyed('silent', body))).json.code,
      'idempotency_key_reused',
    )
    assert.equal((await api.call(line)).json.data.status, 'booked')
    await assertReassignedOnce(api, id, first, await silentCarriersApi.call(line, keyed('silent')))
  })
})

test('a retry after a crash returns the settled manifest', async (t) => {
  const api = await testApi(t, { work: false })
  const { fixture } = api
  await createDelivery(api, {
    reference: 'M-lost-answer-manifest',
    parcels: [pallet],
    book_delivery_now: true,
  })
  const [{ id }] = (
    await api.call('POST /demo/store-manifests', {
      body: { store_reference: 'melbourne-cbd', create_manifest_now: true },
    })
  ).json.data
  // A request waits for at most 8 s; the submission continues afterwards.
  await until(async () => {
    const { data } = (await api.call(`GET /demo/manifests/${id}`)).json
    return data.status === 'on_hold'
  }, 'it is on hold')
  const line = `PATCH /demo/manifests/${id}/settle-submit`
  const settle = (by: Api, order_id: string) => by.call(line, keyed('m', { submitted: true, order_id }))
  const submitted = `select 1 from manifests where manifest_id = $1 and state = 'submitted'`
  assert.equal((await settle(await apiThatCrashesAfter(t, fixture, submitted, id), 'BHM-9')).status, 500)
  await waitForLock(api)
  const again = await settle(api, 'BHM-9')
  assert.deepEqual([again.status, again.json.data?.status], [200, 'submitted'], again.text)
  const other = await api.call(line, { body: { submitted: true, order_id: 'BHM-9' } })
  assert.equal(other.json.code, 'manifest_outcome_known')
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads any response.
async function createDelivery({ call }: Api, over: object = {}): Promise<any> {
  const { status, json, text } = await call('POST /demo/deliveries', { body: deliveryBody(over) })
  assert.equal(status, 201, text)
  return json.data
}

async function createHeldDelivery(api: Api): Promise<string> {
  const { id } = await createDelivery(api)
  await hold(api, id)
  return id
}

async function hold({ fixture }: Api, id: string): Promise<void> {
  const statement = `update deliveries set status = 'on_hold', due_at = null where delivery_id = $1`
  await fixture.deps.db.query(statement, [id])
}

async function createBookedDelivery(api: Api): Promise<{ id: string; first: string }> {
  const { id, status, provider } = await createDelivery(api, { book_delivery_now: true })
  assert.equal(status, 'booked')
  return { id, first: provider }
}

/** Checks that the response shows the booking with another carrier, and that no third carrier got a request. */
async function assertReassignedOnce(
  api: Api,
  id: string,
  first: string,
  { status, json, text }: Reply,
): Promise<void> {
  assert.deepEqual([status, json.data?.status], [200, 'booked'], text)
  assert.notEqual(json.data.provider, first)
  assert.equal(await countTransitions(api, id, 'reassigned'), 1)
  const { json: now } = await api.call(`GET /demo/deliveries/${id}`)
  assert.equal(now.data.consignment_number, json.data.consignment_number)
}

async function countTransitions({ fixture }: Api, id: string, status: string): Promise<number> {
  const { rows } = await fixture.deps.db.query(
    'select count(*)::int as n from events where stream = $1 and to_status = $2',
    [id, status],
  )
  return rows[0].n
}

/** The key's first request died a minute ago. */
async function waitForLock({ fixture }: Api): Promise<void> {
  await fixture.deps.db.query(
    `update idempotency_keys set locked_until = now() - interval '1 s' where status is null`,
  )
}

/** The API of another process, whose carriers do not answer a cancel. */
async function apiWithSilentCarriers(t: TestContext, { fixture }: Api): Promise<Api> {
  const deps: Deps = {
    ...fixture.deps,
    carrierOf(entry, provider) {
      const carrier = fixture.deps.carrierOf(entry, provider)
      return carrier && { ...carrier, cancel: async () => ({ kind: 'unknown', message: 'nothing' }) }
    },
  }
  const app = apiOf({ ...fixture, deps })
  t.after(() => closeServer(app, { drainMs: 0, withinMs: 500 }))
  return usedBy(app, fixture)
}
