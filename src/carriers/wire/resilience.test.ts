import assert from 'node:assert/strict'
import test from 'node:test'
import type { CarrierRequest, CarrierResponse, Send } from '../port/send.ts'
import { ResilienceSettings, resilientWire, withConcurrency, withMetrics, withTimeout } from './resilience.ts'
import { type CircuitState, withCircuitBreaker } from './with-circuit-breaker.ts'

const request: CarrierRequest = { method: 'GET', path: '/', headers: {}, body: undefined }
const ok: CarrierResponse = { kind: 'answered', status: 200, body: null }
const refused: CarrierResponse = { kind: 'not_sent', message: 'connection refused' }

/** A `Send` whose responses the test resolves. */
function byHand() {
  const pending: ((response: CarrierResponse) => void)[] = []
  const send: Send = () => new Promise((resolve) => pending.push(resolve))
  return { send, pending }
}

test('a call that times out has no response, even if one arrives later', async () => {
  const { send, pending } = byHand()
  const response = await withTimeout(send, 10)(request)
  pending[0]!(ok)
  assert.deepEqual(response, { kind: 'no_answer', message: 'no answer within 0.01 s' })
})

test('a response in time is returned', async () => {
  assert.equal(await withTimeout(async () => ok, 1_000)(request), ok)
})

test('waiting calls run in the order they were made', async () => {
  const { send, pending } = byHand()
  const limited = withConcurrency(send, { max: 2, waitMs: 1_000 })
  const calls = [limited(request), limited(request), limited(request), limited(request)]
  assert.equal(pending.length, 2)
  pending[0]!(ok)
  await calls[0]
  assert.equal(pending.length, 3)
  for (const answer of pending.slice(1)) answer(ok)
  await calls[2]
  pending[3]!(ok)
  assert.deepEqual(await Promise.all(calls), [ok, ok, ok, ok])
})

test('a call that waits too long is not sent and does not block others', async () => {
  const { send, pending } = byHand()
  const limited = withConcurrency(send, { max: 1, waitMs: 10 })
  const first = limited(request)
  const second = await limited(request)
  assert.equal(second.kind, 'not_sent')
  pending[0]!(ok)
  await first
  const third = limited(request)
  pending[1]!(ok)
  assert.equal(await third, ok)
})

test('a call dequeued late after a blocked event loop is not sent and frees its slot', async () => {
  const { send, pending } = byHand()
  const limited = withConcurrency(send, { max: 1, waitMs: 20 })
  const calls = [limited(request), limited(request), limited(request)]
  const awakeMs = performance.now() + 40
  while (performance.now() < awakeMs); // Timers can't run in this loop, and the first answer arrives before they do.
  pending[0]!(ok)
  const [, second, third] = await Promise.all(calls)
  assert.deepEqual([second!.kind, third!.kind, pending.length], ['not_sent', 'not_sent', 1])
  const retryLater = limited(request)
  pending[1]!(ok)
  assert.equal(await retryLater, ok)
})

test('a send that throws frees its slot', async () => {
  const limited = withConcurrency(
    async () => {
      throw new Error('a bug')
    },
    { max: 1, waitMs: 10 },
  )
  await assert.rejects(limited(request), /a bug/)
  await assert.rejects(limited(request), /a bug/)
})

function breakable(failures: number) {
  const state = { nowMs: 0, sent: 0, circuit: 'closed' as CircuitState, answer: refused as CarrierResponse }
  const send = withCircuitBreaker(
    async () => {
      state.sent += 1
      return state.answer
    },
    {
      failures,
      openMs: 1_000,
      monotonicMs: () => state.nowMs,
      onTransition: (to, from) => {
        assert.equal(from, state.circuit)
        state.circuit = to
      },
    },
  )
  return { state, send }
}

test('the circuit breaker opens after consecutive failures and closes after a pause', async () => {
  const failures: CarrierResponse[] = [
    refused,
    { kind: 'no_answer', message: 'reset' },
    { kind: 'answered', status: 503, body: null },
    { kind: 'answered', status: 500, body: null },
  ]
  const { state, send } = breakable(failures.length)
  for (const failure of failures) {
    assert.equal(state.circuit, 'closed')
    state.answer = failure
    assert.equal(await send(request), failure)
  }
  assert.equal(state.circuit, 'open')
  state.answer = ok
  assert.equal((await send(request)).kind, 'not_sent')
  assert.equal(state.sent, failures.length)
  assert.equal(state.circuit, 'open')

  state.nowMs = 1_000
  assert.equal(await send(request), ok)
  assert.equal(state.circuit, 'closed')
  assert.equal(await send(request), ok)
})

test('a 4xx and a success both reset the failure count', async () => {
  const { state, send } = breakable(2)
  for (const status of [422, 200]) {
    state.answer = refused
    await send(request)
    state.answer = { kind: 'answered', status, body: null }
    await send(request)
  }
  state.answer = refused
  await send(request)
  assert.equal(state.sent, 5)
})

test('a half-open breaker sends one probe, and its failure opens the breaker again', async () => {
  const { state, send } = breakable(1)
  await send(request)
  state.nowMs = 1_000
  const both = [send(request), send(request)]
  assert.equal(state.circuit, 'half_open')
  const [probe, other] = (await Promise.all(both)) as [CarrierResponse, CarrierResponse]
  assert.equal(state.circuit, 'open')
  assert.deepEqual([probe, state.sent], [refused, 2])
  assert.match(other.kind === 'not_sent' ? other.message : '', /not sent/)
  state.nowMs = 1_999
  await send(request)
  assert.equal(state.sent, 2)
})

/** A breaker that opens at the first failure; each request ends when the test says how. */
function breakerInSteps() {
  const ends: ((response: CarrierResponse | Error) => void)[] = []
  const circuit = { nowMs: 0, states: ['closed'] as CircuitState[] }
  const guarded = withCircuitBreaker(
    () =>
      new Promise((resolve, reject) =>
        ends.push((end) => (end instanceof Error ? reject(end) : resolve(end))),
      ),
    {
      failures: 1,
      openMs: 1_000,
      monotonicMs: () => circuit.nowMs,
      onTransition: (to) => void circuit.states.push(to),
    },
  )
  /** Sends a request; the returned function ends it and waits until the breaker has counted it. */
  const begin = () => {
    const sent = guarded(request).catch(() => {})
    const end = ends.at(-1) as (typeof ends)[number]
    return async (response: CarrierResponse | Error) => {
      end(response)
      await sent
      return circuit.states.at(-1)
    }
  }
  return { circuit, begin }
}

test('requests that were sent before the breaker opened can close it, and prolong it while it is open', async () => {
  const { circuit, begin } = breakerInSteps()
  const [first, second, third] = [begin(), begin(), begin()]
  assert.equal(await first(refused), 'open')
  circuit.nowMs = 500
  assert.equal(await second(refused), 'open')
  circuit.nowMs = 1_400
  assert.equal(await third(ok), 'closed')
  assert.deepEqual(circuit.states, ['closed', 'open', 'closed'])
})

test('while the probe is under way, an earlier failure changes nothing and an earlier success closes', async () => {
  const { circuit, begin } = breakerInSteps()
  const [first, second, third] = [begin(), begin(), begin()]
  await first(refused)
  circuit.nowMs = 1_000
  const probe = begin()
  assert.equal(circuit.states.at(-1), 'half_open')
  assert.equal(await second(refused), 'half_open')
  assert.equal(await third(ok), 'closed')
  assert.equal(await probe(refused), 'open', 'it counts as an ordinary failure')
})

test('a probe that throws leaves the breaker open, and the next request is a probe', async () => {
  const { circuit, begin } = breakerInSteps()
  await begin()(refused)
  circuit.nowMs = 1_000
  assert.equal(await begin()(new Error('a bug')), 'open')
  assert.equal(await begin()(ok), 'closed')
  assert.deepEqual(circuit.states, ['closed', 'open', 'half_open', 'open', 'half_open', 'closed'])
})

test('every call is reported with its result', async () => {
  const results: string[] = []
  for (const response of [ok, refused]) {
    await withMetrics(
      async () => response,
      ({ method, result }) => results.push(`${method} ${result}`),
    )(request)
  }
  assert.deepEqual(results, ['GET 200', 'GET not_sent'])
})

test('the sandbox has no circuit breaker unless the account configures one', async () => {
  const cases = [
    ['sandbox', {}, 30],
    ['live', {}, 10],
    ['sandbox', { breaker_failures: 3 }, 3],
    ['live', { breaker_failures: 0 }, 30],
    ['live', { breaker_failures: 'many' }, 10],
  ] as const
  for (const [mode, settings, expected] of cases) {
    let sent = 0
    const send: Send = async () => {
      sent += 1
      return refused
    }
    const wire = resilientWire(send, {
      settings: ResilienceSettings.parse(settings),
      mode,
      report: () => {},
    })
    for (let call = 0; call < 30; call += 1) await wire(request)
    assert.equal(sent, expected, `${mode} ${JSON.stringify(settings)}`)
  }
})

test('failed downloads from another host do not open the breaker, and an open breaker does not stop them', async () => {
  const thirdParty = { ...request, path: 'https://pictures.example/1.jpg' }
  const send: Send = async ({ path }) => (path === '/up' ? ok : refused)
  const guarded = withCircuitBreaker(send, { failures: 3, openMs: 10_000, monotonicMs: () => 0 })
  for (let tries = 0; tries < 5; tries++) assert.equal(await guarded(thirdParty), refused)
  assert.equal(await guarded({ ...request, path: '/up' }), ok)
  for (let tries = 0; tries < 3; tries++) await guarded(request)
  assert.notEqual(await guarded({ ...request, path: '/up' }), ok, 'it is open now')
  assert.equal(await guarded(thirdParty), refused, 'it is sent even while the breaker is open')
})
