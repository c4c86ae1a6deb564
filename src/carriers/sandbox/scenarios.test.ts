import assert from 'node:assert/strict'
import test from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { consignment, MORNING_MS, sandboxCarriers } from '../../../test/sandbox-carriers.ts'
import { SANDBOX_ADAPTERS } from '../registry.ts'
import { scenarioOf } from './engine/scenario.ts'

const WEEK_MS = 7 * 86_400_000

async function bookedAs(adapter: string, reference: string, t: test.TestContext) {
  const sandbox = await sandboxCarriers((await testDatabase(t)).pool)
  const outcome = await sandbox.carrier(adapter).book({ ...consignment, reference })
  return { sandbox, outcome }
}

/** All events of a delivery's life, as `status` or `status/sub_status`, in the order we received them. */
async function lifeOf(adapter: string, reference: string, t: test.TestContext) {
  const { sandbox, outcome } = await bookedAs(adapter, reference, t)
  assert.equal(outcome.kind, 'yes')
  const number = outcome.kind === 'yes' ? outcome.value.consignmentNumber : ''
  sandbox.clock.nowMs = MORNING_MS + WEEK_MS
  const updates = await sandbox.updates(adapter, number)
  return {
    updates,
    statuses: updates.map(({ status, subStatus }) => [status, subStatus].filter(Boolean).join('/')),
  }
}

test('the last suffix of a reference selects its scenario', () => {
  const cases = [
    ['A1', 'ordinary'],
    ['A1-down', 'down'],
    ['A1-slow-damaged', 'damaged'],
    ['down', 'ordinary'],
    ['A1-lost-answer', 'lost-answer'],
    ['A1-late-events', 'late-events'],
    ['A1-Rejected', 'ordinary'],
    ['A1-dearer', 'dearer'],
  ]
  for (const [reference, scenario] of cases) assert.equal(scenarioOf(reference!), scenario, reference)
})

for (const adapter of SANDBOX_ADAPTERS.keys()) {
  const toPickup = adapter === 'swiftly' ? ['assigned', 'approaching'] : []
  const transit = adapter === 'swiftly' ? [] : ['collected/in_transit']

  test(`${adapter} rejects -rejected and allows another carrier`, async (t) => {
    const { sandbox, outcome } = await bookedAs(adapter, 'A-rejected', t)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'another_carrier')
    assert.deepEqual(await sandbox.ledger('A-rejected'), ['book rejected'])
  })

  test(`${adapter} charges the agreed price, and a fifth more for -dearer`, async (t) => {
    const cost = async (reference: string) => {
      const { outcome } = await bookedAs(adapter, reference, t)
      return outcome.kind === 'yes' ? outcome.value.costCents : outcome
    }
    assert.deepEqual([await cost('A-1'), await cost('A-dearer')], [890, 1068])
  })

  test(`${adapter} is unreachable for -down and records nothing`, async (t) => {
    const { sandbox, outcome } = await bookedAs(adapter, 'A-down', t)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'later')
    assert.deepEqual(await sandbox.ledger('A-down'), [])
  })

  test(`${adapter} delays -slow by 3 seconds and books half way`, async (t) => {
    const { sandbox, outcome } = await bookedAs(adapter, 'A-slow', t)
    assert.equal(outcome.kind, 'yes')
    assert.deepEqual(sandbox.waited, [1_500, 1_500])
  })

  test(`${adapter} delivers a reference without a scenario`, async (t) => {
    const { statuses } = await lifeOf(adapter, 'A', t)
    assert.deepEqual(statuses, [
      ...toPickup,
      'collected',
      ...transit,
      'collected/out_for_delivery',
      'delivered',
    ])
  })

  test(`${adapter} sends -duplicate-events twice, with the same ids`, async (t) => {
    const { updates } = await lifeOf(adapter, 'A-duplicate-events', t)
    const ids = new Set(updates.map(({ eventId }) => eventId))
    assert.equal(updates.length, 2 * ids.size)
  })

  test(`${adapter} sends -late-events out of order, each with its own time`, async (t) => {
    const { updates } = await lifeOf(adapter, 'A-late-events', t)
    const times = updates.map(({ atMs }) => atMs)
    assert.notDeepEqual(times, times.toSorted())
    const inOrder = updates.toSorted((a, b) => a.atMs - b.atMs)
    assert.equal(inOrder.at(-1)?.status, 'delivered')
  })

  test(`${adapter} damages -damaged and returns it`, async (t) => {
    const { statuses } = await lifeOf(adapter, 'A-damaged', t)
    assert.deepEqual(statuses.slice(-4 - transit.length), [
      'collected',
      ...transit,
      'collected/damaged',
      'pending_return',
      'returned',
    ])
  })

  test(`${adapter} attempts -returned and returns it`, async (t) => {
    const { statuses } = await lifeOf(adapter, 'A-returned', t)
    assert.deepEqual(statuses.slice(-3), ['collected/attempted', 'pending_return', 'returned'])
  })
}

test('Big Haul never answers a -lost-answer booking, and each retry books again', async (t) => {
  const { sandbox } = await bookedAs('big_haul', 'A-lost-answer', t)
  const repeated = await sandbox.carrier('big_haul').book({ ...consignment, reference: 'A-lost-answer' })
  assert.equal(repeated.kind, 'unknown')
  assert.deepEqual(await sandbox.ledger('A-lost-answer'), ['book booked', 'book booked'])
})

test('Southern Parcels creates a second shipment for a repeated request', async (t) => {
  const { sandbox, outcome } = await bookedAs('southern_parcels', 'A', t)
  const repeated = await sandbox.carrier('southern_parcels').book({ ...consignment, reference: 'A' })
  assert.ok(outcome.kind === 'yes' && repeated.kind === 'yes')
  assert.notEqual(outcome.value.consignmentNumber, repeated.value.consignmentNumber)
  assert.deepEqual(await sandbox.ledger('A'), ['book booked', 'book booked'])
})
