import assert from 'node:assert/strict'
import { test } from 'node:test'
import { book, copies, create } from '../../../test/booked-deliveries.ts'
import { type Fixture, testFixture } from '../../../test/fixture.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { QUARANTINE_SLOTS, type QuarantineSlots } from '../../store/leases/poison-row-quarantine.ts'
import { claimDeliveries, processDueDeliveries } from '../deliveries/process-due-deliveries.ts'
import { claimManifests } from '../manifests/process-due-manifests.ts'
import { claimMessages } from '../messages/send-messages.ts'
import { claimOrphanedBookings } from '../orphaned-bookings/cancel-orphaned-bookings.ts'
import { makeWebhookClaimer } from '../webhooks/send-webhooks.ts'
import { MAX_CLAIMS } from './claim.ts'

type Kind = {
  /** Inserts due rows with the keys in $1 and the claim counts in $2. */
  rows: string
  claim(fixture: Fixture, suspects: QuarantineSlots): Promise<string[]>
}

const FROM_KEYS = 'from unnest($1::text[], $2::int[]) as k(key, claims)'
const KINDS: Record<string, Kind> = {
  manifests: {
    rows: `insert into manifests (account_id, manifest_id, store_id, provider, carrier_name, manifest_group,
        dangerous_goods, state, wants_summary, deliveries, items, account_version, created_at, updated_at, due_at, claims)
      select 'demo', key, (select min(store_id) from stores where account_id = 'demo'), 'southern', 'Southern', 'freight',
        false, 'submitting', false, 1, 1, 1, now(), now(), '2000-01-01', claims ${FROM_KEYS}`,
    claim: async ({ deps }, suspects) => (await claimManifests(deps, 10, suspects)).map(({ row }) => row.id),
  },
  'orphaned bookings': {
    rows: `insert into orphaned_bookings (account_id, provider, reference, delivery_id, attempt, consignment_number,
        found_at, due_at, claims)
      select 'demo', 'southern', key, (select min(delivery_id) from deliveries), 1, key, now(), '2000-01-01', claims
      ${FROM_KEYS}`,
    claim: async ({ deps }, suspects) =>
      (await claimOrphanedBookings(deps, 10, suspects)).map(({ reference }) => reference),
  },
  messages: {
    rows: `insert into messages (account_id, message_id, kind, recipient, template, body, status, created_at, expires_at,
        due_at, claims)
      select 'demo', key, 'sms', '+61491570156', 'driver_note', 'x', 'queued', now(), 'infinity', '2000-01-01', claims
      ${FROM_KEYS}`,
    claim: async ({ deps }, suspects) =>
      (await claimMessages(deps, 'sms', 10, suspects)).map(({ message_id }) => message_id),
  },
  'webhook endpoints': {
    rows: `insert into webhook_endpoints (account_id, endpoint_id, url, key_id, nonce, ciphertext, created_at, updated_at,
        failing_since, cursor_feed_position, claims)
      select 'demo', key, 'https://shop.example', 'k', '', '', now(), now(), '2000-01-01', 0, claims ${FROM_KEYS}`,
    claim: async ({ deps }, suspects) =>
      (await makeWebhookClaimer()(deps, 10, suspects)).map(({ endpointId }) => endpointId),
  },
}

for (const [kind, { rows, claim }] of Object.entries(KINDS)) {
  test(`suspected poison ${kind} are claimed a few at a time, then one, and all others at once`, async (t) => {
    const fixture = await testFixture(t, { work: false })
    await book(fixture, 'ANY-1')
    await fixture.deps.db.query('delete from messages')
    const claims = { a: 0, b: 4, c: 5, d: 6, e: 7, f: 8 }
    await fixture.deps.db.query(rows, [Object.keys(claims), Object.values(claims)])
    assert.deepEqual((await claim(fixture, [0, 0])).sort(), ['a', 'b'])
    assert.deepEqual([await claim(fixture, [0, 0]), (await claim(fixture, [1, 0])).length], [[], 1])
    assert.equal((await claim(fixture, [0, 1])).length, 1)
    assert.equal((await claim(fixture, QUARANTINE_SLOTS)).length, 2)
    assert.deepEqual(await claim(fixture, QUARANTINE_SLOTS), [])
  })
}

test('a poison row is identified among a hundred rows in flight', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const { id: poison } = await book(fixture, 'POISON')
  await copies(fixture, 'POISON', 99)
  // The poison row is due last, so the other rows are not spared by chance.
  await db.query(
    `update deliveries set due_at = case when delivery_id = $1 then $2::timestamptz else $3::timestamptz end`,
    [poison, '2000-01-01T00:00:01Z', '2000-01-01T00:00:00Z'],
  )

  // A process claims up to its capacity. If the poison row is among its rows, it dies; otherwise it finishes all of
  // them.
  const deadLettered: string[] = []
  let deaths = 0
  for (let claimed = await claimDeliveries(fixture.deps, 100); claimed.length > 0; ) {
    const worked = claimed.filter(({ row }) => row.claims <= MAX_CLAIMS).map(({ row }) => row.delivery_id)
    const ids = claimed.map(({ row }) => row.delivery_id)
    deadLettered.push(...ids.filter((id) => !worked.includes(id)))
    const dies = worked.includes(poison)
    if (dies) deaths += 1
    await db.query(
      `update deliveries set lease_until = null, due_at = case when $2 then due_at end,
         claims = case when $2 then claims else 0 end where delivery_id = any($1)`,
      [ids, dies],
    )
    claimed = await claimDeliveries(fixture.deps, 100)
  }
  assert.deepEqual([deaths, deadLettered], [MAX_CLAIMS, [poison]])
})

test('a delivery of an account version that only a newer process can read waits, and does not count as poison', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps } = fixture
  const { id } = await create(fixture, 'NEWER')
  await deps.db.query(
    `insert into account_versions (account_id, version, document, applied_by) values ('demo', 99, '{"newer": 1}', 'test')`,
  )
  await deps.db.query("update deliveries set account_version = 99, claims = 3, due_at = '2000-01-01'")
  const claimed = await claimDeliveries(deps, 100)
  assert.equal(claimed.length, 1)
  await processDueDeliveries(deps, claimed)
  const row = await findDelivery(deps.db, 'demo', id)
  assert.deepEqual([row?.status, row?.claims], ['requested', 0])
  assert.ok((row?.due_at ?? 0) > fixture.demo().nowMs())
})
