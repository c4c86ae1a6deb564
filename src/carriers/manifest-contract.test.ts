import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../test/database.ts'
import { consignment, MORNING_MS, SECRET_KEY, sandboxCarriers } from '../../test/sandbox-carriers.ts'
import type { Carrier, Lodged, ManifestOrder, Outcome } from './port/carrier.ts'
import type { CarrierResponse } from './port/send.ts'
import { SANDBOX_ADAPTERS } from './registry.ts'
import { sandboxCredentials } from './sandbox/sandbox-state.ts'

function over(adapter: string, response: CarrierResponse): Carrier {
  const credentials = sandboxCredentials(SECRET_KEY, 'demo', adapter)
  return SANDBOX_ADAPTERS.get(adapter)!.make({
    send: async () => response,
    credentials,
    wallMs: () => MORNING_MS,
  })
}

const manifesting = [...SANDBOX_ADAPTERS.keys()].filter(
  (adapter) => over(adapter, { kind: 'not_sent', message: '' }).manifest,
)

test('Southern Parcels and Big Haul accept manifests; Swiftly does not', () => {
  assert.deepEqual(manifesting, ['southern_parcels', 'big_haul'])
})

for (const adapter of manifesting) {
  test(`${adapter} lodges all consignments of a manifest, with cost and article ids`, async (t) => {
    const { sandbox, carrier, order, booked } = await twoBooked(t, adapter)
    const lodged = yes(await carrier.manifest!.submit(order))
    assert.match(lodged.orderId, /^[A-Z0-9]{6,30}$/)
    assert.equal(
      lodged.costCents,
      booked.reduce((sum, { costCents }) => sum + costCents, 0),
    )
    for (const one of booked) assert.deepEqual(lodged.articles.get(one.consignmentNumber), one.articles)
    assert.deepEqual(await sandbox.ledger(order.key), ['manifest lodged'])
  })

  test(`${adapter} lodges nothing if a consignment is cancelled or unknown, and names it`, async (t) => {
    const { sandbox, carrier, order, booked } = await twoBooked(t, adapter)
    const strange = { ...order, refs: [...order.refs, 'XX99'] }
    const refused = await carrier.manifest!.submit(strange)
    assert.match(refused.kind === 'no' ? refused.message : '', /XX99/)

    await carrier.cancel!(booked[0]!.consignmentNumber)
    const resubmitted = await carrier.manifest!.submit(order)
    assert.match(
      resubmitted.kind === 'no' ? resubmitted.message : '',
      new RegExp(booked[0]!.consignmentNumber),
    )
    assert.deepEqual(await sandbox.ledger(order.key), ['manifest refused', 'manifest refused'])
  })

  test(`${adapter} does not cancel a delivery on a lodged manifest`, async (t) => {
    const { carrier, order, booked } = await twoBooked(t, adapter)
    yes(await carrier.manifest!.submit(order))
    assert.equal((await carrier.cancel!(booked[0]!.consignmentNumber)).kind, 'no')
  })

  test(`${adapter} resolves an unknown manifest by its recovery method, without a second order`, async (t) => {
    const { sandbox, carrier, order } = await twoBooked(t, adapter, 'A-17-lost-answer-manifest')
    assert.equal((await carrier.manifest!.submit(order)).kind, 'unknown')
    if (carrier.recovery.kind === 'look_up') {
      assert.equal(
        yes(await carrier.manifest!.find!(order.key, order)),
        null,
        'an immediate look-up misses it',
      )
      await sandbox.settle()
      assert.ok(yes<Lodged | null>(await carrier.manifest!.find!(order.key, order))?.orderId)
      const ledger = ['manifest lodged', 'find not_found', 'find found']
      assert.deepEqual(await sandbox.ledger(order.key), ledger)
    } else {
      assert.equal(carrier.manifest!.find, undefined)
      assert.deepEqual(await sandbox.ledger(order.key), ['manifest lodged'])
    }
  })

  test(`${adapter} rejects, is down or is slow for a manifest as its scenario says`, async (t) => {
    const refused = await twoBooked(t, adapter, 'A-17-rejected-manifest')
    assert.equal((await refused.carrier.manifest!.submit(refused.order)).kind, 'no')
    const down = await twoBooked(t, adapter, 'A-17-down-manifest')
    const outcome = await down.carrier.manifest!.submit(down.order)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'later')
    const slow = await twoBooked(t, adapter, 'A-17-slow-manifest')
    yes(await slow.carrier.manifest!.submit(slow.order))
    assert.deepEqual(slow.sandbox.waited, [1_500, 1_500])
  })

  test(`${adapter}: an unclear manifest response is an unknown outcome, never a success`, async () => {
    const order: ManifestOrder = { key: 'k', group: 'G', dangerousGoods: false, refs: ['C1'] }
    const cases: [CarrierResponse, string][] = [
      [{ kind: 'not_sent', message: 'refused' }, 'no later'],
      [{ kind: 'no_answer', message: 'reset' }, 'unknown'],
      [{ kind: 'answered', status: 503, body: '<html>' }, 'unknown'],
      [{ kind: 'answered', status: 404, body: '<html>a proxy</html>' }, 'unknown'],
      [{ kind: 'answered', status: 201, body: {} }, 'unknown'],
      [{ kind: 'answered', status: 429, body: null }, 'no later'],
    ]
    for (const [response, expected] of cases) {
      const outcome = await over(adapter, response).manifest!.submit(order)
      const message = outcome.kind === 'no' ? `no ${outcome.retry}` : outcome.kind
      assert.equal(message, expected, JSON.stringify(response))
    }
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(200, 201, 400, 500), fc.jsonValue(), async (status, body) => {
        const { manifest } = over(adapter, { kind: 'answered', status, body })
        assert.notEqual((await manifest!.submit(order)).kind, 'yes')
        await manifest!.find?.('k', order)
      }),
    )
  })
}

async function twoBooked(t: TestContext, adapter: string, reference = 'A-17') {
  const sandbox = await sandboxCarriers((await testDatabase(t)).pool)
  const carrier = sandbox.carrier(adapter)
  const booked = [
    yes(await carrier.book({ ...consignment, key: 'dlv_01-1', reference: 'A-16' })),
    yes(await carrier.book({ ...consignment, key: 'dlv_02-1', reference })),
  ]
  const order: ManifestOrder = {
    key: 'man_01',
    group: 'GROUP',
    dangerousGoods: false,
    refs: booked.map(({ consignmentNumber }) => consignmentNumber),
  }
  return { sandbox, carrier, order, booked }
}

function yes<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'yes') assert.fail(JSON.stringify(outcome))
  return outcome.value
}
