import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/until.ts'
import { anyone, TUESDAY_TEN_MS, testWorld, type World } from '../../../test/world.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'

const MINUTE_MS = 60_000
const PARCELS = 20

test('parcels without anything new cost no transaction each', async (t) => {
  const world = await testWorld(t)
  await Promise.all(Array.from({ length: PARCELS }, (_, index) => create(world, `TRACK-${index}`)))
  await until(async () => (await countOf(world, 'booked')) === PARCELS)
  await world.setClock(TUESDAY_TEN_MS + 90 * MINUTE_MS)
  await until(async () => (await countOf(world, 'collected')) === PARCELS)
  await until(async () => (await countDue(world)) === 0)

  const before = {
    asked: await sent(world, 'release-deliveries'),
    locked: await sent(world, 'find-delivery-for-update'),
  }
  await world.setClock(TUESDAY_TEN_MS + 100 * MINUTE_MS)
  await until(
    async () => (await sent(world, 'release-deliveries')) > before.asked && (await countDue(world)) === 0,
  )
  assert.equal(await sent(world, 'find-delivery-for-update'), before.locked)
  assert.ok((await sent(world, 'release-deliveries')) - before.asked <= PARCELS / 2)

  await world.setClock(TUESDAY_TEN_MS + 2 * 24 * 60 * MINUTE_MS)
  await until(async () => (await countOf(world, 'delivered')) === PARCELS)
})

async function create(world: World, reference: string): Promise<void> {
  const request = {
    ...deliveryRequest,
    storeReference: 'melbourne-cbd',
    readyForPickupAt: timestamp('2026-11-24T10:30:00+11:00'),
    deliveryType: 'standard' as const,
    reference,
  }
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(world.deps, world.demo(), anyone, request, options)
}

async function countOf({ deps }: World, status: string): Promise<number> {
  return (await deps.db.query('select 1 from deliveries where status = $1', [status])).rows.length
}

async function countDue({ deps, demo }: World): Promise<number> {
  const now = new Date(demo().nowMs()).toISOString()
  return (await deps.db.query('select 1 from deliveries where due_at <= $1', [now])).rows.length
}

async function sent({ parts }: World, statement: string): Promise<number> {
  const metric = await parts.registry.getSingleMetric('drover_database_statements_total')?.get()
  return metric?.values.find(({ labels }) => labels.statement === statement)?.value ?? 0
}
