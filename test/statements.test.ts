import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as examples from '../src/http/api/fields/examples.ts'
import { sampled } from '../src/http/examples/variables.ts'
import type { Channel, Notifier } from '../src/notify/notifier.ts'
import type { TraceSettings } from '../src/observability/tracing/settings.ts'
import { claimDeliveries, processDueDeliveries } from '../src/operations/deliveries/process-due-deliveries.ts'
import { claimMessages, sendMessages } from '../src/operations/messages/send-messages.ts'
import { type Api, deliveryBody, testApi } from './api.ts'
import { TUESDAY_TEN_MS } from './fixture.ts'
import { statementsOf } from './statements-of.ts'

const DELIVERY_EXAMPLE = sampled(examples.DELIVERY_EXAMPLE) as typeof examples.DELIVERY_EXAMPLE
const QUOTE_EXAMPLE = sampled(examples.QUOTE_EXAMPLE) as typeof examples.QUOTE_EXAMPLE

/** Without an address and due a day later, so that only the statements of the request count. */
const TRACES: TraceSettings = {
  url: 'http://127.0.0.1:9/v1/traces',
  headers: {},
  sampler: 'always_on',
  ratio: 1,
  resource: {},
  queue: { delayMs: 86_400_000, maxWaiting: 64, maxTogether: 64, timeoutMs: 1_000 },
}

test('quotes and availability run no statement; a create runs one, a get one', async (t) => {
  await countedOn(await testApi(t, { work: false }))
})

test('tracing adds no statement', async (t) => {
  await countedOn(await testApi(t, { work: false, traces: TRACES }))
})

test('a create that books runs four statements, besides those of its carrier', async (t) => {
  const api = await testApi(t, { work: false })
  const book = async (reference: string) => {
    const body = deliveryBody({ reference, delivery_type: 'standard', book_delivery_now: true })
    const { status, json, text } = await api.call('POST /demo/deliveries', {
      body,
      headers: { 'idempotency-key': reference },
    })
    assert.deepEqual([status, json.data?.status], [201, 'booked'], text)
  }
  await book('N-1')
  const sent = await statementsOf(api, () => book('N-2'))
  assert.deepEqual(sent, {
    'create-deliveries': 1,
    'open-intents': 1,
    'sandbox-book': 1,
    // The change to `booked`, which has no name until it is often sent.
    unnamed: 1,
    'answer-key-of-delivery': 1,
  })
})

test('a due delivery is booked with two statements, besides its claim and its carrier’s', async (t) => {
  const api = await testApi(t, { work: false })
  const { deps } = api.fixture
  const book = async (reference: string) => {
    const body = deliveryBody({ reference, delivery_type: 'standard', ready_for_pickup_at: READY })
    assert.equal((await api.call('POST /demo/deliveries', { body })).status, 201)
    return statementsOf(api, async () => processDueDeliveries(deps, await claimDeliveries(deps, 10)))
  }
  await book('D-1')
  const { unnamed, 'claim-due-deliveries': claims, ...sent } = await book('D-2')
  assert.deepEqual([unnamed, claims], [1, 1])
  assert.deepEqual(sent, { 'find-due-accounts': 1, 'open-intents': 1, 'sandbox-book': 1 })
})

test('deliveries that are due together share the statements of their booking, tracking and messages', async (t) => {
  const api = await testApi(t, { work: false })
  const { deps } = api.fixture
  const together = 20
  for (let n = 0; n < together; n++) {
    const body = deliveryBody({ reference: `L-${n}`, delivery_type: 'standard', ready_for_pickup_at: READY })
    assert.equal((await api.call('POST /demo/deliveries', { body })).status, 201)
  }
  const work = async () => processDueDeliveries(deps, await claimDeliveries(deps, 50))
  const count = async (status: string) =>
    (await deps.db.query('select from deliveries where status = $1', [status])).rows.length
  const total = (sent: Record<string, number>) =>
    Object.entries(sent).reduce((sum, [name, times]) => sum + (name.startsWith('sandbox') ? 0 : times), 0)

  const booking = await statementsOf(api, work)
  assert.equal(await count('booked'), together)
  assert.ok(total(booking) <= together, JSON.stringify(booking))

  const messages = await statementsOf(api, async () => {
    for (const kind of ['sms', 'email'] as const)
      await sendMessages({ ...deps, notifier: TAKEN }, await claimMessages(deps, kind, 50))
  })
  const { rows } = await deps.db.query(`select from messages where status = 'sent'`)
  assert.equal(rows.length, 2 * together)
  assert.ok(total(messages) <= together, JSON.stringify(messages))

  await api.fixture.setClock(TUESDAY_TEN_MS + 90 * 60_000)
  const tracking = await statementsOf(api, work)
  assert.equal(await count('collected'), together)
  assert.ok(total(tracking) <= together / 2, JSON.stringify(tracking))
  // Nothing is left of their claims: they are due at the next poll.
  const left = await deps.db.query('select from deliveries where lease_until is not null or due_at is null')
  assert.equal(left.rows.length, 0)
})

/** A gateway and a mail server that take every message. */
const TAKEN: Notifier = (() => {
  const channel: Channel = { honoursIds: true, send: async () => ({ kind: 'yes' }) }
  return { sms: channel, email: channel }
})()

const READY = '2026-11-24T10:30:00+11:00'

async function countedOn(api: Api): Promise<void> {
  const create = (reference: string, headers = {}) =>
    api.call('POST /demo/deliveries', { body: { ...DELIVERY_EXAMPLE, reference }, headers })
  const { json } = await create('S-0')
  const cases: [name: string, work: () => Promise<{ status: number }>, statements: object][] = [
    ['quote', () => api.call('POST /demo/deliveries/quote-next-available', { body: QUOTE_EXAMPLE }), {}],
    ['availability', () => api.call('POST /demo/deliveries/quote/availability', { body: QUOTE_EXAMPLE }), {}],
    ['create', () => create('S-1'), { 'create-deliveries': 1 }],
    ['create with a key', () => create('S-2', { 'idempotency-key': 'S-2' }), { 'create-deliveries': 1 }],
    ['get', () => api.call(`GET /demo/deliveries/${json.data.id}`), { 'find-delivery': 1 }],
  ]
  for (const [name, work, statements] of cases) {
    const sent = await statementsOf(api, async () => assert.ok((await work()).status < 300, name))
    assert.deepEqual(sent, statements, name)
  }
}

test('64 concurrent creates share their statements', async (t) => {
  const api = await testApi(t, { work: false })
  const create = (n: number) =>
    api.call('POST /demo/deliveries', { body: { ...DELIVERY_EXAMPLE, reference: `T-${n}` } })
  const sent = await statementsOf(api, async () => {
    const replies = await Promise.all(Array.from({ length: 64 }, (_, n) => create(n)))
    for (const { status, text } of replies) assert.equal(status, 201, text)
  })
  assert.deepEqual(Object.keys(sent), ['create-deliveries'])
  assert.ok((sent['create-deliveries'] as number) <= 64 / 2, `${sent['create-deliveries']} statements`)
})

test('64 concurrent reads share their statements, and each gets its own row', async (t) => {
  const api = await testApi(t, { work: false })
  const create = (n: number) =>
    api.call('POST /demo/deliveries', { body: { ...DELIVERY_EXAMPLE, reference: `G-${n}` } })
  const made = await Promise.all(Array.from({ length: 8 }, (_, n) => create(n)))
  const ids: string[] = made.map(({ json }) => json.data.id)
  const sent = await statementsOf(api, async () => {
    const asked = Array.from({ length: 64 }, (_, n) => ids[n % 9] ?? 'dlv_nobody')
    const replies = await Promise.all(asked.map((id) => api.call(`GET /demo/deliveries/${id}`)))
    const got = replies.map(({ status, json }) => (status === 404 ? 'dlv_nobody' : json.data.id))
    assert.deepEqual(got, asked)
  })
  const { 'find-deliveries': many = 0, 'find-delivery': one = 0, ...others } = sent
  assert.deepEqual(others, {})
  assert.ok(many > 0 && many + one <= 64 / 2, `${many} + ${one} statements`)
})
