import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { type Bundled, bundled } from '../../../test/bundled.ts'
import { anyone, type Fixture, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import { type Receiver, webhookReceiver } from '../../../test/webhook-receiver.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { createWebhookEndpoint } from './webhook-endpoints.ts'

const WORKER = new URL('../../../test/webhook-worker.ts', import.meta.url)
const KILLS = 4
const DELIVERIES = 12

test('a sender that is killed before it records a webhook sends it again with the same id', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const receiver = await webhookReceiver(t)
  await createWebhookEndpoint(fixture.deps, fixture.demo(), anyone, { url: receiver.url, eventTypes: null })
  for (let number = 0; number < DELIVERIES; number++) await create(fixture, `K-${number}`)

  const program = await bundled(WORKER)
  let worker = start(t, fixture, program)
  let killed = 0
  let killing = false
  const killedAt = new Set<string>()
  receiver.behave(async ({ id }) => {
    // The request has arrived; its response will never be recorded.
    if (!killing && killed < KILLS && receiver.received.length % 3 === 0 && !killedAt.has(id)) {
      killing = true
      killed += 1
      killedAt.add(id)
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      await until(
        async () => (await connectionsOf(fixture, 'webhook worker')) === 0,
        'its last statement ended',
      )
      await fixture.deps.db.query('update webhook_endpoints set lease_until = null')
      worker = start(t, fixture, program)
      killing = false
    }
    return 204
  })
  await until(async () => {
    const { rows } = await fixture.deps.db.query(
      `select count(distinct event_id)::int as count from webhook_attempts where outcome = 'delivered'`,
    )
    return rows[0].count === DELIVERIES * 2
  })
  assert.equal(killed, KILLS)
  for (const id of killedAt)
    assert.ok(times(receiver, id) >= 2, `${id} was sent once, and the record was lost`)
  assert.equal(new Set(receiver.taken.map(({ id }) => id)).size, DELIVERIES * 2)
  for (const events of Map.groupBy(receiver.taken, ({ event }) => event.data.delivery_id).values()) {
    const first = [...new Set(events.map(({ event }) => event.sequence))]
    assert.deepEqual(first, [1, 2], 'the first arrivals keep their order')
  }
})

function start(t: TestContext, { databaseUrl }: Fixture, { file, env }: Bundled): ChildProcess {
  const child = spawn(process.execPath, [file, databaseUrl], { stdio: 'ignore', env })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** Due far in the future: only its first events are sent. */
async function create(fixture: Fixture, reference: string): Promise<void> {
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const readyForPickupAt = timestamp('2026-11-26T10:30:00+11:00')
  const request = { ...deliveryRequest, storeReference: 'melbourne-cbd', readyForPickupAt, reference }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}

function times({ received }: Receiver, id: string): number {
  return received.filter((one) => one.id === id).length
}

async function connectionsOf({ deps }: Fixture, name: string): Promise<number> {
  const { rowCount } = await deps.db.query(
    'select from pg_stat_activity where datname = current_database() and application_name like $1',
    [`%${name}%`],
  )
  return rowCount ?? 0
}
