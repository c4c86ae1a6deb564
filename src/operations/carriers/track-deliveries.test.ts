import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { book } from '../../../test/booked-deliveries.ts'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import type { Carrier } from '../../carriers/port/carrier.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { claimDeliveries } from '../deliveries/process-due-deliveries.ts'
import { trackDeliveries } from './track-deliveries.ts'

const MINUTE_MS = 60_000
const PARCELS = 20

test('parcels without new events cost no transaction', async (t) => {
  const fixture = await testFixture(t)
  await Promise.all(Array.from({ length: PARCELS }, (_, index) => create(fixture, `TRACK-${index}`)))
  await until(async () => (await countOf(fixture, 'booked')) === PARCELS)
  await fixture.setClock(TUESDAY_TEN_MS + 90 * MINUTE_MS)
  await until(async () => (await countOf(fixture, 'collected')) === PARCELS)
  await until(async () => (await countDue(fixture)) === 0)

  const before = {
    asked: await sent(fixture, 'release-deliveries'),
    locked: await sent(fixture, 'find-delivery-for-update'),
  }
  await fixture.setClock(TUESDAY_TEN_MS + 100 * MINUTE_MS)
  await until(
    async () => (await sent(fixture, 'release-deliveries')) > before.asked && (await countDue(fixture)) === 0,
  )
  assert.equal(await sent(fixture, 'find-delivery-for-update'), before.locked)
  assert.ok((await sent(fixture, 'release-deliveries')) - before.asked <= PARCELS / 2)

  await fixture.setClock(TUESDAY_TEN_MS + 2 * 24 * 60 * MINUTE_MS)
  await until(async () => (await countOf(fixture, 'delivered')) === PARCELS)
})

test('what is left of a long poll when its leases end is released, for this worker or another', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps } = fixture
  for (const reference of ['SLOW-1', 'SLOW-2', 'SLOW-3']) await book(fixture, reference)
  await fixture.setClock(TUESDAY_TEN_MS + 100 * MINUTE_MS)
  const claimed = await claimDeliveries(deps, 10)
  assert.equal(claimed.length, 3)
  const untilMs = performance.now() + 200
  let polls = 0
  const track = {
    everyMinutes: 1,
    batch: 1,
    poll: async () => {
      polls += 1
      await sleep(250)
      return { kind: 'yes', value: { events: [] } } as const
    },
  }
  const carrier = { recovery: { kind: 'neither' }, track } as unknown as Carrier
  const rows = claimed.map(({ row }) => row)
  await trackDeliveries(deps, fixture.demo(), carrier, rows, untilMs)
  assert.equal(polls, 1)
  assert.equal(await countDue(fixture), 2)
  assert.equal((await claimDeliveries(deps, 10)).length, 2)
})

test('a booking without an id to track does not stop the tracking of the others', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps } = fixture
  for (const reference of ['TRACK-1', 'TRACK-2']) await book(fixture, reference)
  await fixture.setClock(TUESDAY_TEN_MS + 100 * MINUTE_MS)
  const rows = (await claimDeliveries(deps, 10)).map(({ row }) => row)
  const asked: string[] = []
  const poll = async (refs: readonly string[]) => {
    asked.push(...refs)
    return { kind: 'yes', value: { events: [] } } as const
  }
  const budget = { name: 'test', max: 100, perMs: 1_000 }
  const track = { everyMinutes: 1, batch: 10, idsOf: () => 0, budget, poll }
  const carrier = { recovery: { kind: 'neither' }, track } as unknown as Carrier
  await trackDeliveries(deps, fixture.demo(), carrier, rows, performance.now() + 10_000)
  assert.equal(asked.length, 2)
})

async function create(fixture: Fixture, reference: string): Promise<void> {
  const request = {
    ...deliveryRequest,
    storeReference: 'melbourne-cbd',
    readyForPickupAt: timestamp('2026-11-24T10:30:00+11:00'),
    deliveryType: 'standard' as const,
    reference,
  }
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}

async function countOf({ deps }: Fixture, status: string): Promise<number> {
  return (await deps.db.query('select 1 from deliveries where status = $1', [status])).rows.length
}

async function countDue({ deps, demo }: Fixture): Promise<number> {
  const now = new Date(demo().nowMs()).toISOString()
  return (await deps.db.query('select 1 from deliveries where due_at <= $1', [now])).rows.length
}

async function sent({ parts }: Fixture, statement: string): Promise<number> {
  const metric = await parts.registry.getSingleMetric('drover_database_statements_total')?.get()
  return metric?.values.find(({ labels }) => labels.statement === statement)?.value ?? 0
}
