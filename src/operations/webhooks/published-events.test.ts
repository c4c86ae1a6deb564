import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { emptyDatabase } from '../../../test/database.ts'
import { anyone, type Fixture, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import { webhookReceiver } from '../../../test/webhook-receiver.ts'
import type { Amendment } from '../../domain/delivery/amend.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { eraseDeliveries } from '../../store/deliveries/erase-deliveries.ts'
import { amendDelivery } from '../deliveries/amend-delivery.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { listEvents } from './list-events.ts'
import { createWebhookEndpoint } from './webhook-endpoints.ts'
import { replayWebhooks } from './webhook-history.ts'

const READY = timestamp('2026-11-26T10:30:00+11:00')

test('a replayed event has the same body, byte for byte, after its reference was amended', async (t) => {
  const fixture = await testFixture(t)
  const receiver = await webhookReceiver(t)
  const { endpoint } = await createWebhookEndpoint(fixture.deps, fixture.demo(), anyone, {
    url: receiver.url,
    eventTypes: null,
  })
  await create(fixture, 'OLD-1')
  await until(() => receiver.taken.length === 2)
  await amend(fixture, 'OLD-1', { reference: 'NEW-1' })
  await until(() => receiver.taken.length === 3)
  assert.deepEqual(
    receiver.taken.map(({ event }) => event.data.reference),
    ['OLD-1', 'OLD-1', 'NEW-1'],
  )
  const eventIds = receiver.taken.map(({ id }) => id)
  await replayWebhooks(fixture.deps, fixture.demo(), anyone, endpoint.id, { eventIds })
  await until(() => receiver.taken.length === 6)
  const sent = receiver.taken.map(({ id, body }) => ({ id, body }))
  assert.deepEqual(sent.slice(3), sent.slice(0, 3))
})

test('open write transactions do not delay webhooks', async (t) => {
  const fixture = await testFixture(t)
  const receiver = await webhookReceiver(t)
  await createWebhookEndpoint(fixture.deps, fixture.demo(), anyone, { url: receiver.url, eventTypes: null })
  const neighbour = await emptyDatabase(t)
  const open = await Promise.all([neighbour.url, fixture.databaseUrl].map(openTransaction))
  try {
    await create(fixture, 'TOLD-1')
    await until(() => receiver.taken.length === 2)
    for (const client of open) await client.query('select pg_current_xact_id()')
  } finally {
    await Promise.all(open.map((client) => client.end()))
  }
})

test('personal data in amend events is erased with the delivery', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  await create(fixture, 'ERASED-1')
  const amended = await amend(fixture, 'ERASED-1', {
    customer: { ...deliveryRequest.customer, lastName: 'Hopper', phone: '+61491570157' },
  })
  const feedText = async () => JSON.stringify(await feed(fixture))
  assert.match(await feedText(), /Hopper/)
  const deliveryIds = [amended.id]
  const erasure = { accountId: 'demo', deliveryIds, sandboxCarriers: [], nowMs: fixture.demo().nowMs() }
  await withTransaction(db, (erasing) => eraseDeliveries(erasing, erasure))
  assert.doesNotMatch(await feedText(), /Hopper|61491570157/)
  const { rows } = await db.query('select row_to_json(e)::text as event from events as e')
  assert.doesNotMatch(JSON.stringify(rows), /Hopper|61491570157/)
})

async function openTransaction(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return client
}

async function create(fixture: Fixture, reference: string): Promise<void> {
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const request = { ...deliveryRequest, storeReference: 'melbourne-cbd', readyForPickupAt: READY, reference }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}

function amend(fixture: Fixture, reference: string, changes: Partial<Amendment>) {
  const amendment: Amendment = { ...NOTHING, ...changes }
  const name = { idOrReference: reference, storeReference: null }
  return amendDelivery(fixture.deps, fixture.demo(), anyone, name, amendment, async (_db, amended) => amended)
}

const NOTHING: Amendment = {
  readyForPickupAt: READY,
  reference: null,
  deliveryType: null,
  specialInstructions: null,
  address: null,
  customer: null,
  lineItems: null,
  parcels: null,
}

function feed({ deps, demo }: Fixture) {
  return listEvents(deps, demo(), anyone, { after: null, limit: 200 })
}
