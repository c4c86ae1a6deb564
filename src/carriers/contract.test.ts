import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../test/database.ts'
import { FAILURE_BODIES } from '../../test/failure-bodies.ts'
import { consignment, MORNING_MS, sandboxCarriers } from '../../test/sandbox-carriers.ts'
import type { Booking, Carrier, Outcome } from './port/carrier.ts'
import type { CarrierResponse } from './port/send.ts'
import { SANDBOX_ADAPTERS } from './registry.ts'

/** The adapter with a `Send` that always returns this response. */
function over(adapter: string, response: CarrierResponse): Carrier {
  const credentials = { api_key: 'k', webhook_secret: 's' }
  return SANDBOX_ADAPTERS.get(adapter)!.make({
    send: async () => response,
    credentials,
    wallMs: () => MORNING_MS,
  })
}

const proxy: CarrierResponse = { kind: 'answered', status: 404, body: '<html>a proxy</html>' }

function yes<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'yes') assert.fail(JSON.stringify(outcome))
  return outcome.value
}

for (const adapter of SANDBOX_ADAPTERS.keys()) {
  test(`${adapter} books, with an id for every unit that fits a label`, async (t) => {
    const sandbox = await sandboxCarriers((await testDatabase(t)).pool)
    const booking = yes(await sandbox.carrier(adapter).book(consignment))
    assert.deepEqual(
      booking.articles.map(({ parcelReference, articleIds }) => [parcelReference, articleIds.length]),
      [
        ['P1', 2],
        ['P2', 1],
      ],
    )
    const ids = booking.articles.flatMap(({ articleIds }) => articleIds)
    assert.equal(new Set(ids).size, 3)
    for (const id of ids) assert.match(id, /^[A-Z0-9]{1,30}$/)
    assert.ok(booking.costCents > 0)
    assert.deepEqual(await sandbox.ledger('A-17'), ['book booked'])
  })

  test(`${adapter} resolves an unknown outcome by its recovery method, without a second booking`, async (t) => {
    const sandbox = await sandboxCarriers((await testDatabase(t)).pool)
    const carrier = sandbox.carrier(adapter)
    const lost = { ...consignment, reference: 'A-17-lost-answer' }
    assert.equal((await carrier.book(lost)).kind, 'unknown')

    const resolved: Record<typeof carrier.recovery.kind, () => Promise<string[]>> = {
      async idempotency_key() {
        yes(await carrier.book(lost))
        return ['book booked', 'book replayed']
      },
      async look_up() {
        assert.equal(
          yes(await carrier.find!(lost.key, lost, lost.askedAtMs)),
          null,
          'an immediate look-up misses it',
        )
        await sandbox.settle()
        assert.ok(yes<Booking | null>(await carrier.find!(lost.key, lost, lost.askedAtMs))?.consignmentNumber)
        return ['book booked', 'find not_found', 'find found']
      },
      async neither() {
        assert.equal(carrier.find, undefined)
        return ['book booked']
      },
    }
    assert.deepEqual(await resolved[carrier.recovery.kind](), await sandbox.ledger(lost.reference))
  })

  test(`${adapter} cancels once, accepts a repeated cancel, and rejects an unknown booking`, async (t) => {
    const sandbox = await sandboxCarriers((await testDatabase(t)).pool)
    const carrier = sandbox.carrier(adapter)
    const { consignmentNumber } = yes(await carrier.book(consignment))
    assert.equal((await carrier.cancel!(consignmentNumber)).kind, 'yes')
    assert.equal((await carrier.cancel!(consignmentNumber)).kind, 'yes')
    assert.deepEqual(await sandbox.ledger('A-17'), [
      'book booked',
      'cancel cancelled',
      'cancel already_cancelled',
    ])

    assert.equal((await over(adapter, proxy).cancel!('X')).kind, 'unknown')
    const unknown = await carrier.cancel!('X 1/2?')
    assert.deepEqual(unknown.kind === 'no' && unknown.retry, 'nobody')
  })

  test(`${adapter} does not cancel a collected delivery`, async (t) => {
    const sandbox = await sandboxCarriers((await testDatabase(t)).pool)
    const carrier = sandbox.carrier(adapter)
    const { consignmentNumber } = yes(await carrier.book(consignment))
    sandbox.clock.nowMs = consignment.readyAtMs
    const outcome = await carrier.cancel!(consignmentNumber)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'nobody')
    assert.deepEqual(await sandbox.ledger('A-17'), ['book booked', 'cancel refused'])
  })

  test(`${adapter}: an unsent request may be retried later; an unclear response is an unknown outcome`, async () => {
    const cases: [CarrierResponse, string][] = [
      [{ kind: 'not_sent', message: 'refused' }, 'no later'],
      [{ kind: 'no_answer', message: 'reset' }, 'unknown'],
      [{ kind: 'answered', status: 500, body: { Result: 'FAIL', Reason: 'x', Message: 'y' } }, 'unknown'],
      [{ kind: 'answered', status: 502, body: '<html>' }, 'unknown'],
      [{ kind: 'answered', status: 408, body: null }, 'unknown'],
      [{ kind: 'answered', status: 302, body: null }, 'unknown'],
      [{ kind: 'answered', status: 200, body: '{"job":' }, 'unknown'],
      [{ kind: 'answered', status: 201, body: {} }, 'unknown'],
      [{ kind: 'answered', status: 429, body: null }, 'no later'],
      [{ kind: 'answered', status: 400, body: 'bad' }, 'unknown'],
      [proxy, 'unknown'],
    ]
    for (const [response, expected] of cases) {
      const outcome = await over(adapter, response).book(consignment)
      const message = outcome.kind === 'no' ? `no ${outcome.retry}` : outcome.kind
      assert.equal(message, expected, JSON.stringify(response))
    }
  })

  test(`${adapter}: a message about a time-out or internal failure is an unknown outcome under any status`, async () => {
    for (const body of FAILURE_BODIES) {
      for (const status of [200, 400, 404, 409, 410, 422]) {
        const carrier = over(adapter, { kind: 'answered', status, body })
        const message = JSON.stringify([status, body])
        assert.equal((await carrier.book(consignment)).kind, 'unknown', message)
        const order = { key: 'man_01', group: 'GROUP', dangerousGoods: false, refs: ['X'] }
        assert.equal((await carrier.find?.('k', consignment, 0))?.kind ?? 'unknown', 'unknown', message)
        assert.equal((await carrier.manifest?.submit(order))?.kind ?? 'unknown', 'unknown', message)
        if (status >= 400) assert.equal((await carrier.cancel!('X')).kind, 'unknown', message)
      }
    }
  })

  test(`${adapter} with an invalid API key allows a retry later`, async (t) => {
    const { fixture } = await sandboxCarriers((await testDatabase(t)).pool)
    const carrier = SANDBOX_ADAPTERS.get(adapter)!.make({
      send: (request) => fixture.handle('demo', adapter, request),
      credentials: { api_key: 'wrong' },
      wallMs: Date.now,
    })
    const outcome = await carrier.book(consignment)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'later')
  })

  test(`${adapter} survives any response and never reads a malformed one as success`, async () => {
    const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('constructor', '__proto__', '\u0000', '\ud800'))
    const body = fc.oneof(
      odd,
      fc.record({ job: odd, shipments: odd, errors: odd, error: odd, Result: odd }, { requiredKeys: [] }),
      fc.record(
        { Result: fc.constantFrom('OK', 'FAIL'), Reason: odd, Scans: fc.array(odd) },
        { requiredKeys: [] },
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(200, 201, 204, 400, 404, 409, 422, 500),
        body,
        async (status, message) => {
          const carrier = over(adapter, { kind: 'answered', status, body: message })
          assert.notEqual((await carrier.book(consignment)).kind, 'yes')
          await carrier.cancel?.('X')
          await carrier.track?.poll(['X'])
          await carrier.availableFrom?.('store', 0)
          await carrier.find?.('k', consignment, 0)
        },
      ),
      { numRuns: 200 },
    )
  })
}
