import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { webhookReceiver } from '../../../test/webhook-receiver.ts'
import { updateClockOffset } from '../../store/accounts/accounts.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { claimDueDeliveries } from '../../store/deliveries/due-deliveries.ts'
import { QUARANTINE_SLOTS } from '../../store/leases/poison-row-quarantine.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { makeWebhookClaimer, sendWebhooks } from '../webhooks/send-webhooks.ts'
import { createWebhookEndpoint } from '../webhooks/webhook-endpoints.ts'

const HOUR_MS = 3_600_000
const AHEAD_MS = TUESDAY_TEN_MS + 72 * HOUR_MS

/** What a delivery waits for, the columns that say so, and whether the wait is a retry. */
const WAITING = [
  ['a booking with an unknown outcome', 'pending_attempt = 1, due_at = $2', true],
  ['carriers that could not be reached', 'booking_attempts = 2, due_at = $2', true],
  ['a carrier that is off', 'booking_attempts = 1, due_at = $2', true],
  ['a cancellation', "status = 'booked', cancel_requested_at = $2, due_at = $2", true],
  ['the carrier’s news', "status = 'booked', due_at = $2", true],
  ['the order to be ready', null, false],
  ['the order to be ready, by the lead of that time', 'due_at = $2', false],
  [
    'its courier to accept it',
    `due_at = $2, content = (content::jsonb || '{"staffCourier": {"phone": "+61491570156"}}')::json`,
    false,
  ],
] as const

test('setting a clock back moves pending retries back with it, and nothing else', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  await fixture.setClock(AHEAD_MS)
  const soon = new Date(AHEAD_MS + 8_000).toISOString()
  for (const [what, says] of WAITING) {
    await create(fixture, what)
    if (says !== null) await db.query(`update deliveries set ${says} where reference = $1`, [what, soon])
  }
  const due = async () => {
    const { rows } = await db.query<{ reference: string; due_at: number }>(
      'select reference, due_at from deliveries',
    )
    return new Map(rows.map(({ reference, due_at }) => [reference, due_at]))
  }
  const [before, offsetMs] = [await due(), fixture.demo().clockOffsetMs]
  await fixture.setClock(TUESDAY_TEN_MS)
  const backMs = offsetMs - fixture.demo().clockOffsetMs
  const after = await due()
  for (const [what, , isPause] of WAITING) {
    assert.equal(before.get(what)! - after.get(what)!, isPause ? backMs : 0, what)
  }
  const nows = { accountIds: ['demo'], nowsMs: [TUESDAY_TEN_MS + HOUR_MS] }
  const claimed = await claimDueDeliveries(db, nows, {
    limit: 10,
    leaseMs: 30_000,
    suspects: QUARANTINE_SLOTS,
  })
  assert.deepEqual(
    new Set(claimed.map(({ reference }) => reference)),
    new Set(WAITING.flatMap(([what, , isPause]) => (isPause ? [what] : []))),
  )
})

test('setting a clock does not block creates', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await withTransaction(fixture.deps.db, async (db) => {
    await updateClockOffset(db, 'demo', fixture.demo().clockOffsetMs)
    await create(fixture, 'meanwhile')
  })
})

test('setting a clock back moves webhook retries and Retry-After pauses back', async (t) => {
  const { fixture, takeTurn, receiver } = await refused(t)
  await fixture.setClock(TUESDAY_TEN_MS)
  receiver.behave(() => 204)
  await takeTurn()
  assert.equal(receiver.taken.length, 0, 'the silence goes on')
  await fixture.setClock(TUESDAY_TEN_MS + HOUR_MS)
  await takeTurn()
  assert.equal(receiver.taken.length, 1)
})

test('setting a clock back moves retries of manifests and messages back', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  await fixture.setClock(AHEAD_MS)
  const at = [new Date(AHEAD_MS).toISOString(), [...fixture.demo().account.storeById.keys()][0]]
  await db.query(
    `insert into manifests (account_id, manifest_id, store_id, provider, carrier_name, manifest_group, dangerous_goods, state, deliveries, items,
       account_version, wants_summary, created_at, updated_at, due_at)
     values ('demo', 'man_1', $2, 'southern_parcels', 'Southern Parcels', 'SOUTHERN-ROAD', false, 'submitting', 1, 1,
       1, false, $1, $1, $1)`,
    at,
  )
  await db.query(
    `insert into messages (account_id, message_id, kind, recipient, template, store_id, status, created_at, expires_at, due_at)
     values ('demo', 'msg_1', 'sms', '+61491570156', 'booked', $2, 'queued', $1, $1, $1)`,
    at,
  )
  await fixture.setClock(TUESDAY_TEN_MS)
  const { rows } = await db.query<{ due_at: number }>(
    'select due_at from manifests union all select due_at from messages',
  )
  assert.equal(rows.length, 2)
  for (const { due_at } of rows)
    assert.ok(due_at <= fixture.demo().nowMs(), `due at ${new Date(due_at).toISOString()}`)
})

/** An endpoint three days ahead that rejected its one event and requested a pause of half an hour. */
async function refused(t: TestContext) {
  const fixture = await testFixture(t, { work: false })
  const receiver = await webhookReceiver(t)
  await fixture.setClock(AHEAD_MS)
  const endpoint = { url: receiver.url, eventTypes: ['delivery.created'] }
  await createWebhookEndpoint(fixture.deps, fixture.demo(), anyone, endpoint)
  receiver.behave((_, { response }) => {
    response.setHeader('retry-after', '1800')
    return 429
  })
  await create(fixture, 'TOLD-1')
  const takeTurn = async () => sendWebhooks(fixture.deps, await makeWebhookClaimer()(fixture.deps, 10))
  while (receiver.received.length === 0) await takeTurn()
  return { fixture, receiver, takeTurn }
}

async function create(fixture: Fixture, reference: string): Promise<void> {
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const readyForPickupAt = timestamp('2026-11-30T14:00:00+11:00')
  const request = { ...deliveryRequest, storeReference: 'melbourne-cbd', reference, readyForPickupAt }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}
