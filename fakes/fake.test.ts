import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { emptied } from './emptied.ts'
import { type FakeCarrier, type FakeOptions, type FakeServer, startFake } from './fake.ts'

/** A carrier that accepts any booking, with its own error messages. */
const bookings =
  (caughtUp: number[]) =>
  ({ ledger, clock }: FakeServer): FakeCarrier => ({
    routes: [
      {
        name: 'book',
        method: 'POST',
        path: '/bookings/:reference',
        answer: ({ params }) => {
          ledger.write('booked', { reference: params.reference })
          return { status: 201, body: { reference: params.reference } }
        },
      },
    ],
    signIn: { api_key: 'right' },
    admit: ({ headers }) =>
      headers.authorization === 'right' ? null : { status: 401, body: { error: 'key' } },
    unknownPath: () => ({ status: 404, body: { error: 'path' } }),
    failure: (status) => ({ status, body: { error: `failed with ${status}` } }),
    internalFailure: (status) => ({ status, body: { error: 'timed out' } }),
    catchUp: () => {
      caughtUp.push(clock.nowMs())
    },
  })

// biome-ignore lint/suspicious/noExplicitAny: read as a client in another language would.
const jsonOf = async (answer: Response | Promise<Response>): Promise<any> => (await answer).json()

const NOON_MS = Date.parse('2026-11-24T12:00:00Z')

async function running(t: TestContext, options: FakeOptions = {}) {
  const caughtUp: number[] = []
  const fake = await startFake(bookings(caughtUp), { nowMs: NOON_MS, ...options })
  t.after(() => fake.close())
  const post = (path: string, body: unknown = {}) =>
    fetch(`${fake.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: 'right' },
    })
  const booked = () => fake.ledger.entries({ what: 'booked' }).map(({ reference }) => reference)
  return { fake, post, booked, caughtUp }
}

test('each fault hits once, before or after the work by its kind', async (t) => {
  const { fake, post, booked } = await running(t)
  const cases = [
    [
      { kind: 'status', status: 503 },
      { status: 503, done: false },
    ],
    [{ kind: 'cut' }, { status: null, done: false }],
    [{ kind: 'lost' }, { status: null, done: true }],
    [{ kind: 'garbled' }, { status: 201, done: true, garbled: true }],
    [
      { kind: 'failed_answer', status: 422 },
      { status: 422, done: true },
    ],
    [
      { kind: 'slow', ms: 1 },
      { status: 201, done: true },
    ],
    [
      { kind: 'slow_answer', ms: 1 },
      { status: 201, done: true },
    ],
  ] as const
  for (const [index, [fault, expected]] of cases.entries()) {
    fake.faults.add({ operation: 'book', ...fault })
    const answer = await post(`/bookings/A${index}`).catch(() => null)
    assert.equal(answer?.status ?? null, expected.status, fault.kind)
    assert.equal(booked().includes(`A${index}`), expected.done, fault.kind)
    if (answer && 'garbled' in expected) await assert.rejects(answer.json(), SyntaxError)
    assert.equal((await post(`/bookings/B${index}`)).status, 201, `after ${fault.kind}`)
  }
  const struck = fake.ledger.entries({ what: 'request' }).filter(({ faults }) => faults)
  assert.deepEqual(
    struck.map(({ status }) => status),
    [503, null, null, 201, 422, 201, 201],
  )
})

test('an empty list, once', async (t) => {
  const carrier = (server: FakeServer): FakeCarrier => ({
    ...bookings([])(server),
    routes: [
      {
        name: 'list',
        method: 'GET',
        path: '/bookings',
        answer: ({ query }) => ({ status: query.has('wrong') ? 400 : 200, body: { data: ['A'], total: 1 } }),
        emptied: emptied('data', { total: 0 }),
      },
    ],
  })
  const fake = await startFake(carrier, { nowMs: NOON_MS })
  t.after(() => fake.close())
  const list = (path: string) => fetch(`${fake.url}${path}`, { headers: { authorization: 'right' } })
  fake.faults.add({ operation: 'list', kind: 'empty', times: 2 })
  assert.deepEqual(await jsonOf(list('/bookings?wrong')), { data: ['A'], total: 1 }, 'a refusal stays one')
  assert.deepEqual(await jsonOf(list('/bookings')), { data: [], total: 0 })
  assert.deepEqual(await jsonOf(list('/bookings')), { data: ['A'], total: 1 })
})

test('two faults at once: slow, then rejected', async (t) => {
  const { post, booked } = await running(t, {
    faults: [
      { kind: 'slow', ms: 1 },
      { kind: 'status', status: 429 },
    ],
  })
  assert.deepEqual(await (await post('/bookings/A')).json(), { error: 'failed with 429' })
  assert.deepEqual(booked(), [])
})

test('faults, clock and ledger have HTTP controls, which no fault affects', async (t) => {
  const { fake, post, caughtUp } = await running(t, { faults: [{ kind: 'cut', times: null }] })
  const { id } = await jsonOf(post('/_fake/faults', { kind: 'lost', operation: 'book' }))
  assert.equal((await fetch(`${fake.url}/_fake/faults/${id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await jsonOf(fetch(`${fake.url}/_fake/faults`))).faults.length, 1)
  const wrong = await post('/_fake/faults', { kind: 'status', status: 200 })
  assert.equal(wrong.status, 400)
  assert.match((await jsonOf(wrong)).error, /status/)
  const strange = await jsonOf(post('/_fake/faults', { kind: 'lost', operation: 'eat' }))
  assert.match(strange.error, /there are \*, book, unknown_path/)
  assert.equal((await fetch(`${fake.url}/_fake/faults`, { method: 'DELETE' })).status, 204)

  const advance = async (by: object) => (await jsonOf(post('/_fake/advance', by))).now
  assert.equal(await advance({ minutes: 90 }), '2026-11-24T13:30:00.000Z')
  assert.equal(await advance({ to: '2026-11-25T09:00:00+11:00' }), '2026-11-24T22:00:00.000Z')
  assert.equal(await advance({ to: '2026-11-24T12:00:00Z' }), '2026-11-24T22:00:00.000Z', 'never back')
  assert.equal((await post('/_fake/advance', { weeks: 1 })).status, 400)
  assert.equal(caughtUp.at(-1), Date.parse('2026-11-24T22:00:00Z'))

  await post('/bookings/A')
  await post('/nowhere')
  const { entries } = await jsonOf(fetch(`${fake.url}/_fake/ledger`))
  assert.deepEqual(
    entries.map(({ number, what, operation }: Record<string, unknown>) => [number, what, operation]),
    [
      [1, 'booked', undefined],
      [2, 'request', 'book'],
      [3, 'request', 'unknown_path'],
    ],
  )
  const later = await jsonOf(fetch(`${fake.url}/_fake/ledger?after=1&what=request`))
  assert.deepEqual(
    later.entries.map(({ number }: { number: number }) => number),
    [2, 3],
  )
})

test('the ledger records a request with its query and arrival time', async (t) => {
  const { fake } = await running(t, { faults: [{ operation: 'book', kind: 'cut' }] })
  await fetch(`${fake.url}/nowhere?ids=1,2`)
  const [asked] = fake.ledger.entries({ what: 'request' })
  assert.equal(asked?.query, 'ids=1%2C2')
  assert.equal(asked?.arrived, asked?.at)
})

test('an unauthenticated request does nothing and gets the carrier’s error', async (t) => {
  const { fake, booked } = await running(t)
  const answer = await fetch(`${fake.url}/bookings/A`, { method: 'POST' })
  assert.deepEqual([answer.status, await answer.json()], [401, { error: 'key' }])
  assert.deepEqual(booked(), [])
})

test('closing ends open requests', async (t) => {
  const { fake, post } = await running(t, { faults: [{ kind: 'slow', ms: 600_000 }] })
  const held = post('/bookings/A')
  const cutOff = assert.rejects(held)
  while (fake.faults.list().length > 0) await new Promise((resolve) => setImmediate(resolve))
  await fake.close()
  await cutOff
})
