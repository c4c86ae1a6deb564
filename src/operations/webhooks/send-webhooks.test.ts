import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { untilIdle } from '../../../test/until-idle.ts'
import { until } from '../../../test/wait-until.ts'
import { isGenuine, type Receiver, webhookReceiver } from '../../../test/webhook-receiver.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { publishCommitted } from '../events/publish-committed.ts'
import { listEvents } from './list-events.ts'
import { makeWebhookClaimer, sendWebhooks } from './send-webhooks.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  getWebhookEndpoint,
  rotateWebhookSecret,
} from './webhook-endpoints.ts'
import { countReplay, listWebhookAttempts, type Replay, replayWebhooks } from './webhook-history.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

test('webhooks are signed by Standard Webhooks and match the feed', async (t) => {
  const { fixture, receiver, secret } = await startReceiver(t)
  await create(fixture, 'A-1')
  await until(() => receiver.taken.length === 3)
  const { events } = await listEvents(fixture.deps, fixture.demo(), anyone, { after: null, limit: 50 })
  assert.deepEqual(
    receiver.taken.map(({ id }) => id),
    events.map(({ id }) => id),
  )
  for (const one of receiver.taken) {
    assert.ok(isGenuine(secret, one))
    assert.ok(!isGenuine(secret, { ...one, body: `${one.body} ` }), 'a changed body is not genuine')
    assert.ok(Math.abs(Number(one.headers['webhook-timestamp']) * 1_000 - Date.now()) < 60_000, 'wall clock')
    assert.equal(one.headers['content-type'], 'application/json')
    assert.deepEqual(Object.keys(one.event), ['type', 'timestamp', 'sequence', 'data'])
  }
  assert.deepEqual(
    receiver.taken.map(({ event }) => [event.type, event.sequence]),
    [
      ['delivery.created', 1],
      ['delivery.requested', 2],
      ['delivery.booked', 3],
    ],
  )
})

test('an endpoint receives its event types from its creation on', async (t) => {
  const fixture = await testFixture(t)
  await create(fixture, 'BEFORE-1')
  await until(async () => (await statusOf(fixture, 'BEFORE-1')) === 'booked')
  const elsewhere = await fixture.deps.db.connect()
  await elsewhere.query('begin')
  await elsewhere.query('select pg_current_xact_id()')
  await create(fixture, 'BEFORE-2')
  await until(async () => (await statusOf(fixture, 'BEFORE-2')) === 'booked')
  const receiver = await webhookReceiver(t)
  await endpointAt(fixture, receiver, ['delivery.booked'])
  await elsewhere.query('rollback')
  elsewhere.release()
  await create(fixture, 'AFTER-1')
  await until(() => receiver.taken.length === 1)
  await untilIdle(fixture.parts.runner)
  assert.deepEqual(
    receiver.taken.map(({ event }) => [event.type, event.data.reference]),
    [['delivery.booked', 'AFTER-1']],
  )
})

test('a rejected event is retried by the account’s clock and delays only its own delivery', async (t) => {
  const { fixture, receiver, id } = await startReceiver(t)
  receiver.behave(({ event }) => (event.data.reference === 'BAD-1' ? 500 : 204))
  await create(fixture, 'BAD-1')
  await create(fixture, 'GOOD-1')
  await until(() => receiver.taken.length === 3)
  const bad = () => receiver.received.filter(({ event }) => event.data.reference === 'BAD-1')
  assert.deepEqual(new Set(bad().map(({ event }) => event.sequence)), new Set([1]))

  await fixture.setClock(TUESDAY_TEN_MS + 10 * SECOND_MS)
  await until(() => bad().length >= 2)
  receiver.behave(() => 204)
  await fixture.setClock(TUESDAY_TEN_MS + 10 * MINUTE_MS)
  await until(() => receiver.taken.length === 6)
  assert.deepEqual(
    receiver.taken.flatMap(({ event }) => (event.data.reference === 'BAD-1' ? event.sequence : [])),
    [1, 2, 3],
  )
  const first = bad()[0]?.id
  const { attempts } = await attemptsOf(fixture, id)
  const ofFirst = attempts.filter(({ eventId }) => eventId === first).reverse()
  assert.deepEqual(
    ofFirst.map(({ number, outcome, status }) => [number, outcome, status]),
    [
      [1, 'failed', 500],
      [2, 'failed', 500],
      [3, 'delivered', 204],
    ],
  )
  const pausesMs = ofFirst.slice(1).map(({ atMs }, index) => atMs - (ofFirst[index]?.atMs ?? 0))
  const minMs = [4 * SECOND_MS, 4 * MINUTE_MS]
  assert.ok(
    pausesMs.every((pauseMs, index) => pauseMs >= (minMs[index] ?? 0)),
    `not before its time: ${pausesMs}`,
  )
  assert.equal(
    new Set(
      bad()
        .filter(({ event }) => event.sequence === 1)
        .map(({ id: one }) => one),
    ).size,
    1,
  )
})

test('an event is given up after three days, and the delivery’s next one is sent', async (t) => {
  const { fixture, receiver, id } = await startReceiver(t)
  receiver.behave(({ event }) => (event.sequence === 1 ? 503 : 204))
  await create(fixture, 'LOST-1')
  for (let hours = 0; hours <= 96; hours += 8) {
    await fixture.setClock(TUESDAY_TEN_MS + hours * HOUR_MS)
    await untilPublished(fixture)
    await untilIdle(fixture.parts.runner)
    if (receiver.taken.length > 0) break
  }
  await until(() => receiver.taken.some(({ event }) => event.sequence === 2))
  const exhausted = (await attemptsOf(fixture, id)).attempts.find(({ outcome }) => outcome === 'exhausted')
  assert.ok(exhausted && exhausted.atMs - TUESDAY_TEN_MS >= 72 * HOUR_MS)
  assert.ok(!receiver.taken.some(({ event }) => event.sequence === 1))
})

test('order per delivery holds while a fifth of the requests fail', async (t) => {
  const { fixture, receiver, id } = await startReceiver(t)
  let asked = 0
  receiver.behave(async () => {
    asked += 1
    await sleep(asked % 7) // Answers overtake each other.
    return asked % 5 === 0 ? 500 : 204
  })
  const count = 60
  await Promise.all(Array.from({ length: count }, (_, number) => create(fixture, `O-${number}`)))
  let clockMs = TUESDAY_TEN_MS
  // Rejected events are retried by the account's clock, until all are delivered.
  await until(async () => {
    clockMs += 5 * MINUTE_MS
    await fixture.setClock(clockMs)
    await untilIdle(fixture.parts.runner)
    const { backlog } = await getWebhookEndpoint(fixture.deps, fixture.demo(), anyone, id)
    const sent = receiver.taken.filter(({ event }) => event.type === 'delivery.booked').length
    return sent >= count && backlog === 0
  })
  const perDelivery = Map.groupBy(receiver.taken, ({ event }) => event.data.delivery_id)
  for (const [delivery, events] of perDelivery) {
    const order = events.map(({ event }) => event.sequence)
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      delivery,
    )
    assert.equal(new Set(order).size, order.length, 'without faults of ours no event is sent twice')
    assert.deepEqual(order.slice(0, 3), [1, 2, 3])
  }
})

test('dead and silent endpoints do not delay others', async (t) => {
  const fixture = await testFixture(t)
  const silent = await webhookReceiver(t, () => null)
  const good = await Promise.all(Array.from({ length: 4 }, () => webhookReceiver(t)))
  await createAt(fixture, 'http://127.0.0.1:9/dead')
  await endpointAt(fixture, silent)
  for (const receiver of good) await endpointAt(fixture, receiver)
  for (let number = 0; number < 20; number++)
    await create(fixture, `D-${number}`, '2026-11-25T15:00:00+11:00')
  // Each of the 40 events would wait 15 s for the receiver that does not answer: ten minutes.
  await until(() => good.every(({ taken }) => taken.length === 40))
})

test('410 or five days of failure pause an endpoint, and Retry-After is honoured', async (t) => {
  const { fixture, receiver, id } = await startReceiver(t)
  receiver.behave((_, { response }) => {
    response.setHeader('retry-after', '3600')
    return 429
  })
  await create(fixture, 'BUSY-1')
  await until(() => receiver.received.length === 1)
  await create(fixture, 'BUSY-2')
  await fixture.setClock(TUESDAY_TEN_MS + 50 * MINUTE_MS)
  await untilPublished(fixture)
  await untilIdle(fixture.parts.runner)
  assert.equal(receiver.received.length, 1, 'not a word for an hour')
  receiver.behave(() => 410)
  await fixture.setClock(TUESDAY_TEN_MS + 61 * MINUTE_MS)
  const endpoint = () => getWebhookEndpoint(fixture.deps, fixture.demo(), anyone, id)
  await until(async () => (await endpoint()).pausedAtMs !== null)
  assert.match((await endpoint()).pausedReason ?? '', /410/)

  await changeWebhookEndpoint(fixture.deps, fixture.demo(), anyone, id, { active: true })
  receiver.behave(() => 500)
  for (let days = 1; days <= 7 && (await endpoint()).pausedAtMs === null; days++) {
    await fixture.setClock(TUESDAY_TEN_MS + days * 24 * HOUR_MS)
    await create(fixture, `DAY-${days}`)
    await untilPublished(fixture)
    await untilIdle(fixture.parts.runner)
  }
  await until(async () => (await endpoint()).pausedAtMs !== null)
  assert.match((await endpoint()).pausedReason ?? '', /5 days/)
  const asked = receiver.received.length
  await create(fixture, 'MISSED-1')
  await untilPublished(fixture)
  await untilIdle(fixture.parts.runner)
  assert.equal(receiver.received.length, asked, 'a paused endpoint is not called')
  const paused = async () => {
    const { events } = await listEvents(fixture.deps, fixture.demo(), anyone, { after: null, limit: 200 })
    return events.flatMap(({ type, data }) => (type === 'webhook_endpoint.paused' ? [data?.endpoint_id] : []))
  }
  await until(async () => (await paused()).length >= 2)
  assert.deepEqual(await paused(), [id, id], 'and the feed tells of it')
  receiver.behave(() => 204)
  await changeWebhookEndpoint(fixture.deps, fixture.demo(), anyone, id, { active: true })
  await until(() => receiver.taken.some(({ event }) => event.data.reference === 'MISSED-1'))
  assert.equal((await endpoint()).failingSinceMs, null)
})

test('an endpoint is paused after five days of failure, even without new events', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const receiver = await webhookReceiver(t)
  const { id } = await endpointAt(fixture, receiver, ['delivery.created'])
  receiver.behave(() => 500)
  await create(fixture, 'ALONE-1')
  const endpoint = () => getWebhookEndpoint(fixture.deps, fixture.demo(), anyone, id)
  const takeTurn = async () => sendWebhooks(fixture.deps, await makeWebhookClaimer()(fixture.deps, 10))
  await until(async () => {
    await takeTurn()
    return receiver.received.length === 1
  })
  for (let hours = 8; hours < 120; hours += 8) {
    await fixture.setClock(TUESDAY_TEN_MS + hours * HOUR_MS)
    await takeTurn()
  }
  const asked = receiver.received.length
  const before = await endpoint()
  assert.deepEqual([before.pausedAtMs, before.backlog], [null, 0], 'the event was given up after three days')
  await fixture.setClock(TUESDAY_TEN_MS + 121 * HOUR_MS)
  await takeTurn()
  assert.match((await endpoint()).pausedReason ?? '', /5 days/)
  assert.equal(receiver.received.length, asked)
  await until(async () => {
    const { events } = await listEvents(fixture.deps, fixture.demo(), anyone, { after: null, limit: 200 })
    const pauses = events.filter(({ type }) => type === 'webhook_endpoint.paused')
    return pauses.length === 1 && pauses[0]?.data?.endpoint_id === id
  })
  assert.deepEqual(await makeWebhookClaimer()(fixture.deps, 10), [], 'a paused endpoint is not claimed')
})

test('every fifth poll looks for events that other processes published; a wake-up looks at once', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const receiver = await webhookReceiver(t)
  await endpointAt(fixture, receiver, ['delivery.created'])
  const claim = makeWebhookClaimer()
  const poll = async (isPoll: boolean) => {
    const claimed = await claim(fixture.deps, 10, undefined, isPoll)
    await sendWebhooks(fixture.deps, claimed)
    return claimed.length
  }
  const publishElsewhere = async (reference: string) => {
    await create(fixture, reference)
    assert.ok((await publishCommitted(fixture.deps, ['demo'])) > 0)
  }
  assert.equal(await poll(true), 0)
  await publishElsewhere('POLLED-1')
  const claimed: number[] = []
  for (let n = 1; n <= 5; n++) claimed.push(await poll(true))
  assert.deepEqual(claimed, [0, 0, 0, 0, 1])
  assert.equal(await poll(true), 0, 'the poll after a claim looks again')
  await publishElsewhere('POLLED-2')
  assert.deepEqual([await poll(true), await poll(false)], [0, 1])
  assert.equal(await poll(true), 0)
  await create(fixture, 'POLLED-3')
  assert.equal(await poll(true), 1, 'the poll published the event itself')
})

test('after a rotation both secrets verify for a day', async (t) => {
  const { fixture, receiver, secret, id } = await startReceiver(t)
  const { secret: newer } = await rotateWebhookSecret(fixture.deps, fixture.demo(), anyone, id)
  await create(fixture, 'R-1')
  await until(() => receiver.taken.length === 3)
  for (const one of receiver.taken) assert.ok(isGenuine(secret, one) && isGenuine(newer, one))
  // A turn signs all its requests with the secrets that were valid when it began.
  await until(async () => {
    const { rowCount } = await fixture.deps.db.query(
      'update webhook_endpoints set previous_valid_until = now() where lease_until is null',
    )
    return rowCount === 1
  })
  await create(fixture, 'R-2')
  await until(() => receiver.taken.length === 6)
  for (const one of receiver.taken.slice(3)) assert.ok(!isGenuine(secret, one) && isGenuine(newer, one))
})

test('events are replayed by id or from a time, with their original ids', async (t) => {
  const { fixture, receiver, id } = await startReceiver(t)
  await create(fixture, 'P-1')
  await until(() => receiver.taken.length === 3)
  const [first, , third] = receiver.taken.map((one) => one.id) as [string, string, string]
  const counted = (what: Replay, max?: number) =>
    countReplay(fixture.deps, fixture.demo(), anyone, id, what, max)
  assert.deepEqual(await counted({ eventIds: [third, first] }), { count: 2, isWhole: true })
  await replay(fixture, id, { eventIds: [third, first] })
  await until(() => receiver.taken.length === 5)
  assert.deepEqual(
    receiver.taken.slice(3).map((one) => one.id),
    [first, third],
    'in the order they happened',
  )
  await fixture.setClock(TUESDAY_TEN_MS + 20 * MINUTE_MS)
  await create(fixture, 'P-2')
  await until(() => receiver.taken.length === 8)
  const since = { fromMs: TUESDAY_TEN_MS + 20 * MINUTE_MS }
  assert.deepEqual(await counted(since), { count: 3, isWhole: true })
  assert.deepEqual(await counted({ fromMs: 0 }), { count: 6, isWhole: true })
  assert.deepEqual(await counted({ fromMs: 0 }, 6), { count: 6, isWhole: true })
  assert.deepEqual(await counted({ fromMs: 0 }, 4), { count: 5, isWhole: false })
  await replay(fixture, id, since)
  await until(() => receiver.taken.length === 11)
  await untilIdle(fixture.parts.runner)
  assert.deepEqual(
    receiver.taken.slice(8).map(({ event }) => event.data.reference),
    ['P-2', 'P-2', 'P-2'],
  )
  await replay(fixture, id, { fromMs: 0 })
  await until(() => receiver.taken.length >= 17)
  const types = { eventTypes: ['delivery.created'] }
  await changeWebhookEndpoint(fixture.deps, fixture.demo(), anyone, id, types)
  assert.deepEqual(await counted({ fromMs: 0 }), { count: 2, isWhole: true })
  assert.deepEqual(await counted({ eventIds: [third, first] }), { count: 1, isWhole: true })
})

test('a replay sends a waiting event at once', async (t) => {
  const { fixture, receiver, id } = await startReceiver(t, () => 500)
  await create(fixture, 'W-1')
  // The first pause is seconds, the next minutes: longer than this test waits.
  await until(async () => (await attemptsOf(fixture, id)).attempts.length >= 1)
  await fixture.setClock(TUESDAY_TEN_MS + 10 * SECOND_MS)
  await until(async () => (await attemptsOf(fixture, id)).attempts.length >= 2)
  receiver.behave(() => 204)
  await replay(fixture, id, { eventIds: [receiver.received[0]?.id as string] })
  await until(() => receiver.taken.length === 3)
})

test('a worker that lost its lease cannot record its result', async (t) => {
  const { fixture, receiver, id } = await startReceiver(t)
  let release = () => {}
  const slow = new Promise<void>((resolve) => {
    release = resolve
  })
  receiver.behave(async () => {
    if (receiver.received.length === 1) await slow
    return 204
  })
  await create(fixture, 'Z-1')
  await until(() => receiver.received.length === 1)
  await fixture.deps.db.query(`update webhook_endpoints set lease_until = now() - interval '1 second'`)
  await until(() => receiver.received.length >= 2)
  release()
  await until(() => new Set(receiver.taken.map((one) => one.id)).size === 3)
  await until(async () => (await getWebhookEndpoint(fixture.deps, fixture.demo(), anyone, id)).backlog === 0)
  const { attempts } = await attemptsOf(fixture, id)
  assert.equal(attempts.length, 3, 'the late one was sent, and not recorded')
})

async function startReceiver(t: TestContext, behaviour?: Parameters<typeof webhookReceiver>[1]) {
  const fixture = await testFixture(t)
  const receiver = await webhookReceiver(t, behaviour)
  return { fixture, receiver, ...(await endpointAt(fixture, receiver)) }
}

function endpointAt(fixture: Fixture, receiver: Receiver, eventTypes: string[] | null = null) {
  return createAt(fixture, receiver.url, eventTypes)
}

async function createAt(fixture: Fixture, url: string, eventTypes: string[] | null = null) {
  const made = await createWebhookEndpoint(fixture.deps, fixture.demo(), anyone, { url, eventTypes })
  return { id: made.endpoint.id, secret: made.secret }
}

async function create(
  fixture: Fixture,
  reference: string,
  ready = '2026-11-24T10:30:00+11:00',
): Promise<void> {
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const request = {
    ...deliveryRequest,
    storeReference: 'melbourne-cbd',
    deliveryType: 'standard' as const,
    readyForPickupAt: timestamp(ready),
    reference,
  }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}

async function statusOf(fixture: Fixture, reference: string): Promise<string> {
  const { rows } = await fixture.deps.db.query('select status from deliveries where reference = $1', [
    reference,
  ])
  return rows[0]?.status
}

function attemptsOf(fixture: Fixture, id: string) {
  const page = { after: null, eventId: null, limit: 200 }
  return listWebhookAttempts(fixture.deps, fixture.demo(), anyone, id, page)
}

function replay(fixture: Fixture, id: string, what: Replay) {
  return replayWebhooks(fixture.deps, fixture.demo(), anyone, id, what)
}

/** Events are published when every earlier transaction of the server has ended, those of other tests included. */
async function untilPublished({ deps }: Fixture): Promise<void> {
  await until(async () => {
    const { rowCount } = await deps.db.query('select from events where feed_position is null limit 1')
    return rowCount === 0
  }, 'all events are published')
}
