import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhookEndpoint } from '../../src/operations/webhooks/webhook-endpoints.ts'
import { anyone, type Fixture } from '../fixture.ts'
import { type Receiver, webhookReceiver } from '../webhook-receiver.ts'
import { arrangeDelivery, crashFixture } from './crash-fixture.ts'
import { dieAfterEach, dyingProgram } from './crash-points.ts'
import { doWork } from './work.ts'

const TELLING = { task: 'webhooks' } as const

test('a crash after any step of a webhook loses no event; only an unconfirmed event is sent twice', async (t) => {
  const fixture = await crashFixture(t)
  const program = await dyingProgram()
  const receiver = await webhookReceiver(t)
  await createWebhookEndpoint(fixture.deps, fixture.demo(), anyone, { url: receiver.url, eventTypes: null })
  const steps: (string | null)[] = []
  const begin = async (suffix: string) => {
    const deliveryId = await arrangeDelivery(fixture, 'any', `TELL-${suffix}`)
    return { deliveryId, work: TELLING }
  }
  await dieAfterEach(program, fixture, { name: 'telling' }, begin, async ({ deliveryId }, what, step) => {
    steps.push(step)
    await checkHeard(fixture, receiver, deliveryId, what, step === 'receiver hears' ? 1 : 0)
  })
  t.diagnostic(`${steps.length - 1} crash points: ${steps.slice(1).join(', ')}`)
  assert.ok(steps.filter((step) => step === 'receiver hears').length === 2)
})

/** `again`: events that the receiver got and the worker has not recorded as delivered. */
async function checkHeard(
  fixture: Fixture,
  receiver: Receiver,
  deliveryId: string,
  what: string,
  again: number,
): Promise<void> {
  const { db } = fixture.deps
  const received = () => receiver.taken.filter(({ event }) => event.data.delivery_id === deliveryId)
  // Two turns: after the first one no event is left.
  for (const _ of [1, 2]) {
    await db.query(`update webhook_endpoints set lease_until = lease_until - interval '1 hour'`)
    await doWork(fixture.deps, TELLING)
  }
  const ids = received().map(({ id }) => id)
  assert.equal(ids.length, 2 + again, `${what}: ${ids}`)
  const firsts = [...new Set(ids)].map((id) => received().find((one) => one.id === id)?.event.sequence)
  assert.deepEqual(firsts, [1, 2], what)
  const { rows } = await db.query(
    `select count(distinct event_id)::int as delivered from webhook_attempts where outcome = 'delivered' and event_id = any($1)`,
    [ids],
  )
  assert.equal(rows[0].delivered, 2, what)
}
