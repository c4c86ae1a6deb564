import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuspostFixture, auspostFixture } from '../../../test/auspost-fixture.ts'
import { book, read } from '../../../test/booked-deliveries.ts'
import { anyone } from '../../../test/fixture.ts'
import { wholeStore } from '../../../test/manifest-requests.ts'
import { until } from '../../../test/wait-until.ts'
import { getManifest } from '../manifests/get-manifest.ts'
import { manifestStore } from '../manifests/manifest-store.ts'
import { manifestCsv } from '../manifests/order-summary.ts'
import { getCarrierDetail, listCarriers, switchOff } from './switch-carrier.ts'

const WIRE = { breaker_failures: 3, breaker_open_ms: 100 }

test('an outage is recorded and ends by itself, and the carrier keeps its deliveries', async (t) => {
  const here = await auspostFixture(t, { wire: WIRE })
  const { fixture, fake } = here
  await book(fixture, 'A-1')
  assert.deepEqual(await dark(here), [])

  fake.faults.add({ operation: '*', kind: 'status', status: 503, times: null })
  await until(async () => {
    await ask(here)
    return (await dark(here)).includes('auspost')
  }, 'it is dark')
  const { outage, uncollected } = await getCarrierDetail(fixture.deps, fixture.demo(), 'auspost')
  assert.equal(outage?.recallStartedAtMs, null)
  assert.deepEqual(
    uncollected.map(({ reference, replanning }) => [reference, replanning]),
    [['A-1', false]],
  )
  const questions = here.asked('get_account')
  await until(async () => {
    await toNextDue(here)
    return here.asked('get_account') > questions + 4
  }, 'it was asked some times whether it is back')
  assert.equal((await read(fixture, 'A-1')).status, 'booked', 'the account has not said otherwise')

  fake.faults.clear()
  await until(async () => {
    await toNextDue(here)
    return (await dark(here)).length === 0
  }, 'it is back')
  assert.equal(fake.ledger.entries({ what: 'shipment_deleted' }).length, 0)
})

test('after replan_when_dark_minutes uncollected deliveries are recalled and booked once elsewhere', async (t) => {
  const document = { booking: { replan_when_dark_minutes: 10 } }
  const here = await auspostFixture(t, { wire: WIRE, document })
  const { fixture, fake } = here
  const before = await book(fixture, 'B-1')
  fake.faults.add({ operation: '*', kind: 'status', status: 503, times: null })
  await until(async () => {
    await ask(here)
    return (await dark(here)).includes('auspost')
  }, 'it is dark')
  await until(async () => {
    await toNextDue(here)
    const { outage } = await getCarrierDetail(fixture.deps, fixture.demo(), 'auspost')
    return outage !== null && outage.recallStartedAtMs !== null
  }, 'it is asked back')
  const { uncollected } = await getCarrierDetail(fixture.deps, fixture.demo(), 'auspost')
  assert.deepEqual(
    uncollected.map(({ reference, replanning }) => [reference, replanning]),
    [['B-1', true]],
  )
  const { consignmentNumber, status } = await read(fixture, 'B-1')
  assert.deepEqual(
    [status, consignmentNumber],
    ['booked', before.consignmentNumber],
    'it may still stand there',
  )

  fake.faults.clear()
  const after = await until(async () => {
    await toNextDue(here)
    const now = await read(fixture, 'B-1')
    return now.status === 'booked' && now.consignmentNumber !== before.consignmentNumber && now
  }, 'it is let go and booked anew')
  assert.equal(fake.ledger.entries({ what: 'shipment_created' }).length, 2)
  assert.equal(fake.ledger.entries({ what: 'shipment_deleted' }).length, 1)
  await until(async () => {
    await toNextDue(here)
    return (await dark(here)).length === 0
  }, 'it is dark no more')
  assert.equal((await read(fixture, 'B-1')).consignmentNumber, after.consignmentNumber)
})

test('deliveries of a decommissioned carrier are planned again without its answer, on a manifest or not', async (t) => {
  const here = await auspostFixture(t)
  const { fixture, fake } = here
  await book(fixture, 'C-1', { deliveryType: null })
  await book(fixture, 'C-2', { deliveryType: null })
  const named = { ...wholeStore, references: ['C-2'] }
  const [lodged] = await manifestStore(fixture.deps, fixture.demo(), anyone, named, null)
  assert.ok(lodged)
  fake.faults.add({ operation: 'delete_shipment', kind: 'cut', times: null })
  const decommissioned = await switchOff(fixture.deps, fixture.demo(), 'auspost', {
    reason: 'closed down',
    replan: null,
    decommissioned: true,
  })
  assert.equal(decommissioned.pendingCancellation, 2)
  for (const reference of ['C-1', 'C-2']) {
    const booked = await until(async () => {
      await toNextDue(here)
      const now = await read(fixture, reference)
      return now.status === 'booked' && now.chosen?.provider === 'startrack' && now
    }, `${reference} is with another carrier`)
    assert.equal(booked.manifestStatus, 'pending')
  }
  const paper = await getManifest(fixture.deps, fixture.demo(), anyone, lodged.manifest.id)
  const { state, deliveries, items } = paper.manifest
  assert.deepEqual([state, deliveries, items], ['submitted', 1, 1])
  assert.deepEqual(
    paper.deliveries,
    lodged.deliveries.map((one) => ({ ...one, movedToAnotherCarrier: true })),
    'the order holds what it was asked for, under its old numbers',
  )
  const csv = await manifestCsv(fixture.deps, paper.manifest)
  const [row] = lodged.deliveries
  assert.ok(
    row && csv.includes(`${row.consignmentNumber},C-2,moved to another carrier,${row.articleIds[0]},`),
    csv,
  )
  const again = await manifestStore(fixture.deps, fixture.demo(), anyone, wholeStore, null)
  assert.deepEqual(
    again.map(({ manifest }) => [manifest.provider, manifest.deliveries]),
    [['startrack', 2]],
  )
})

/** A call that fails for both carriers of the account. */
async function ask({ fixture }: AuspostFixture): Promise<void> {
  await Promise.all(
    ['auspost', 'startrack'].map((provider) => fixture.deps.carrierOf(fixture.demo(), provider)?.check?.()),
  )
}

/** Advances the clocks to the next due work, unless that work is running. */
async function toNextDue(here: AuspostFixture): Promise<void> {
  const { rows } = await here.fixture.deps.db.query<{ due_at: number | null }>(
    `select min(due_at) as due_at from (
       select due_at from carrier_outages union all select due_at from deliveries where due_at is not null) as due`,
  )
  const aheadMs = (rows[0]?.due_at ?? 0) - here.fixture.demo().nowMs()
  if (aheadMs > 0) await here.advance(aheadMs)
}

async function dark({ fixture }: AuspostFixture): Promise<string[]> {
  const carriers = await listCarriers(fixture.deps, fixture.demo())
  return carriers.flatMap(({ provider, outage }) => (outage ? [provider] : []))
}
