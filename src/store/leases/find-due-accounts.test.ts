import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Pool } from 'pg'
import { rowsRead } from '../../../test/count-rows-read.ts'
import { ON_CITUS, testDatabase } from '../../../test/database.ts'
import { findUnpublishedAccounts } from '../deliveries/publish-events.ts'
import { findWebhookAccounts } from '../webhooks/due-webhooks.ts'
import { type DueQueue, findDueAccounts } from './find-due-accounts.ts'

const NOON = '2026-11-24T12:00Z'
const ONE = '2026-11-24T13:00Z'
const NOW_MS = Date.parse(NOON)
const NOBODY = { accountIds: [], nowsMs: [] }

const DELIVERY = `(account_id, delivery_id, store_id, brand_id, reference, status, content, delivery_type, delivery_mode,
  ready_for_pickup_at, account_version, created_at, updated_at, due_at)
  select $1, 'dlv' || n, 'sto', 'brd', 'R' || n, 'requested', '{}', 'standard', 'delivery', now(), 1, now(), now()`
const MESSAGE = (
  kind: string,
) => `messages (account_id, message_id, kind, recipient, template, status, created_at, expires_at,
  due_at) select $1, '${kind}' || n, '${kind}', 'x', 'booked', 'queued', now(), 'infinity'`
/** One row of each queue, whose last column is \`due_at\`; \`n\` numbers the rows. */
const ROWS: Record<DueQueue, string> = {
  deliveries: `deliveries ${DELIVERY}`,
  sms: MESSAGE('sms'),
  email: MESSAGE('email'),
  allocations: `allocation_jobs (account_id, job_id, account_version, request, deadline, due_at)
    select $1, 'job' || n, 1, '{}', 'infinity'`,
  manifests: `manifests (account_id, manifest_id, store_id, provider, carrier_name, manifest_group, dangerous_goods, state,
    wants_summary, deliveries, items, account_version, created_at, updated_at, due_at)
    select $1, 'man' || n, 'sto', 'p', 'P', 'freight', false, 'submitting', false, 1, 1, 1, now(), now()`,
  'carrier outages': `carrier_outages (account_id, provider, started_at, due_at) select $1, 'p' || n, now()`,
  'orphaned bookings': `orphaned_bookings (account_id, provider, reference, delivery_id, attempt, consignment_number, found_at,
    due_at) select $1, 'p', 'r' || n, 'dlv0', 1, 'c', now()`,
  'superseded bookings': `booking_intents (account_id, delivery_id, attempt, key, provider, service, consignment, option,
    content_version, state, fence, created_at, settle_until, due_at)
    select $1, 'dlv0', n, 'k' || n, 'p', 's', '{}', '{}', 1, 'void', 1, now(), now()`,
  sandbox: `sandbox_consignments (account_id, consignment_number, carrier, reference, merchant_reference, request, answer,
    booked_at, findable_from, due_at) select $1, 'c' || n, 'p', 'r' || n, 'm', '{}', '{}', now(), now()`,
}
const QUEUES = Object.keys(ROWS) as DueQueue[]

/** Accounts a0000, a0001 … with a store, a brand and a delivery that is not due. */
async function databaseOf(t: TestContext, accounts: number): Promise<Pool> {
  const { pool } = await testDatabase(t)
  await pool.query(
    `insert into accounts (account_id, version, mode)
     select 'a' || lpad(n::text, 4, '0'), 1, 'sandbox' from generate_series(0, $1::int - 1) as n`,
    [accounts],
  )
  await pool.query(
    `insert into brands (account_id, brand_id, reference) select account_id, 'brd', 'b' from accounts`,
  )
  await pool.query(
    `insert into stores (account_id, store_id, reference) select account_id, 'sto', 's' from accounts`,
  )
  await pool.query(`insert into deliveries ${DELIVERY.replace('$1', 'account_id').replaceAll("' || n", "' || 0")}, null
    from accounts`)
  return pool
}

async function addDue(db: Pool, queue: DueQueue, accountId: string, dueAt: string, count = 1): Promise<void> {
  await db.query(`insert into ${ROWS[queue]}, $2::timestamptz from generate_series(1, $3::int) as n`, [
    accountId,
    dueAt,
    count,
  ])
}

const found = async (db: Pool, shifted = NOBODY as Parameters<typeof findDueAccounts>[1]['shifted']) =>
  Object.fromEntries(
    [...(await findDueAccounts(db, { nowMs: NOW_MS, shifted }))].map(([queue, ids]) => [
      queue,
      [...ids].sort(),
    ]),
  )

test('each queue names the accounts that have something due, and no others', async (t) => {
  const db = await databaseOf(t, 4)
  for (const queue of QUEUES) {
    await addDue(db, queue, 'a0001', NOON)
    await addDue(db, queue, 'a0002', ONE)
    await addDue(db, queue, 'a0003', NOON)
  }
  assert.deepEqual(await found(db), Object.fromEntries(QUEUES.map((queue) => [queue, ['a0001', 'a0003']])))
})

test('an account whose clock is ahead is asked by its own clock', async (t) => {
  const db = await databaseOf(t, 2)
  for (const queue of QUEUES) await addDue(db, queue, 'a0001', ONE)
  assert.deepEqual(await found(db), {})
  const anHourAhead = { accountIds: ['a0001'], nowsMs: [NOW_MS + 3_600_000] }
  assert.deepEqual(
    await found(db, anHourAhead),
    Object.fromEntries(QUEUES.map((queue) => [queue, ['a0001']])),
  )
})

test('a backlog of one account hides no other account', async (t) => {
  const db = await databaseOf(t, 3)
  for (const queue of QUEUES) {
    await addDue(db, queue, 'a0000', '2026-11-24T01:00Z', 1_500)
    await addDue(db, queue, 'a0002', NOON)
  }
  assert.deepEqual(await found(db), Object.fromEntries(QUEUES.map((queue) => [queue, ['a0000', 'a0002']])))
})

test('a delivery that is leased is not due until its lease ends', async (t) => {
  const db = await databaseOf(t, 1)
  await addDue(db, 'deliveries', 'a0000', NOON)
  await db.query(`update deliveries set lease_until = now() + interval '1 minute' where due_at is not null`)
  assert.deepEqual(await found(db), {})
  await db.query(`update deliveries set lease_until = now() - interval '1 second' where due_at is not null`)
  assert.deepEqual(await found(db), { deliveries: ['a0000'] })
})

test('the question reads as many rows for 3,000 accounts with deliveries on their way as for 30', async (t) => {
  const db = await databaseOf(t, 3_000)
  await db.query(`update deliveries set due_at = $1`, [ONE])
  await addDue(db, 'deliveries', 'a0007', NOON)
  await db.query('analyze')
  for (const table of ['deliveries', 'accounts', 'messages']) {
    const read = await rowsRead(db, table, (client) =>
      findDueAccounts(client, { nowMs: NOW_MS, shifted: NOBODY }),
    )
    assert.ok(read <= 30, `${read} rows of ${table}`)
  }
})

test('accounts with unpublished events, and those whose endpoints have something to send', async (t) => {
  const db = await databaseOf(t, 5)
  await db.query(`insert into webhook_endpoints (account_id, endpoint_id, url, key_id, nonce, ciphertext, created_at,
      updated_at, cursor_feed_position)
    select account_id, 'whk', 'https://shop.example', 'k', '', '', now(), now(), 3 from accounts`)
  await db.query(`insert into event_sequences (account_id, last_feed_position) select account_id, 3 from accounts
    on conflict (account_id) do update set last_feed_position = 3`)
  assert.deepEqual([await findUnpublishedAccounts(db), await findWebhookAccounts(db)], [[], []])
  await db.query(`insert into events (account_id, stream, event_id, type, at, source)
    select a, '', 'evt' || n, 'x', now(), 'api' from unnest(array['a0001', 'a0003']) as a, generate_series(1, 3) as n`)
  assert.deepEqual((await findUnpublishedAccounts(db)).sort(), ['a0001', 'a0003'])
  await db.query(`update event_sequences set last_feed_position = 4 where account_id = 'a0002'`)
  await db.query(`update webhook_endpoints set failing_since = now() where account_id = 'a0003'`)
  await db.query(`insert into webhook_sends (account_id, endpoint_id, lane, position, stream, event_id, due_at)
    values ('a0004', 'whk', 'l', 1, 's', 'e', now())`)
  assert.deepEqual((await findWebhookAccounts(db)).sort(), ['a0002', 'a0003', 'a0004'])
})

test('PostgreSQL keeps one plan for the polls of a connection, even with many deliveries that are not due', {
  skip: ON_CITUS && 'Citus plans its statement for every poll',
}, async (t) => {
  const db = await databaseOf(t, 1)
  await db.query(`insert into deliveries ${DELIVERY}, null from generate_series(1, 20000) as n`, ['a0000'])
  await db.query('analyze deliveries')
  const client = await db.connect()
  try {
    for (let poll = 1; poll <= 7; poll++)
      await findDueAccounts(client, { nowMs: Date.now(), shifted: NOBODY })
    const { rows } = await client.query(
      `select generic_plans::int as kept from pg_prepared_statements where name = 'find-due-accounts'`,
    )
    // PostgreSQL plans the first five executions for their values. Then it compares costs and keeps the generic plan.
    assert.deepEqual(rows, [{ kept: 2 }])
  } finally {
    client.release()
  }
})
