import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type pg from 'pg'
import { emptyDatabase } from '../../../test/database.ts'
import { migrate } from '../db/migrate.ts'
import { claimDueWebhooks } from '../webhooks/due-webhooks.ts'
import { listFeed } from './event-feed.ts'
import { findFeedPosition, publishEvents } from './publish-events.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)
const FIRST_WITH_PLACES = '0036'

test('events and cursors from before feed positions keep their order and place', async (t) => {
  const { pool, url } = await databaseOfBefore(t)
  // In the order in which the previous release read them: (tx, position). 'late' was written first and committed last.
  await pool.query(`
    insert into events (account_id, stream, event_id, type, at, source, tx) values
      ('demo', '', 'late', 'manifest.created', now(), 'api', '700'), ('demo', '', 'first', 'manifest.created', now(), 'api', '500'),
      ('demo', '', 'second', 'manifest.created', now(), 'api', '500'), ('acme', '', 'other', 'manifest.created', now(), 'api', '600'),
      ('demo', '', 'third', 'manifest.created', now(), 'api', '600')`)
  const before = await pool.query<{ event_id: string; tx: string; position: number }>(
    `select event_id, tx::text as tx, position from events where account_id = 'demo' order by events.tx, position`,
  )
  await migrate(url)
  const feed = () => listFeed(pool, 'demo', { after: 0, storeIds: null, limit: 100 })
  const order = ['first', 'second', 'third', 'late']
  assert.deepEqual(
    (await feed()).map(({ id }) => id),
    order,
  )
  assert.deepEqual(
    (await feed()).map(({ feedPosition }) => feedPosition),
    [1, 2, 3, 4],
  )
  for (const [index, cursor] of before.rows.entries()) {
    assert.equal(await findFeedPosition(pool, 'demo', cursor), index + 1, cursor.event_id)
  }
  assert.equal(await findFeedPosition(pool, 'demo', { tx: '0', position: 0 }), 0)

  // The previous release keeps writing, and readers with its cursors miss no event, whatever its number.
  await pool.query(`
    insert into events (account_id, stream, event_id, type, at, source, tx)
    values ('demo', '', 'written by the release before', 'manifest.created', now(), 'api', '400')`)
  await publishEvents(pool, ['demo', 'acme'])
  const place = await findFeedPosition(pool, 'demo', { tx: '999', position: 999 })
  const rest = await listFeed(pool, 'demo', { after: place, storeIds: null, limit: 100 })
  assert.deepEqual(
    rest.map(({ id }) => id),
    ['written by the release before'],
  )
})

test('a webhook endpoint from before feed positions continues where it was', async (t) => {
  const { pool, url } = await databaseOfBefore(t)
  await pool.query(`
    insert into events (account_id, stream, event_id, type, at, source)
    select 'demo', '', 'evt_' || n, 'manifest.created', now(), 'api' from generate_series(1, 5) as n`)
  await pool.query(`
    insert into webhook_endpoints (account_id, endpoint_id, url, key_id, nonce, ciphertext, created_at, updated_at,
      cursor_tx, cursor_position)
    select 'demo', 'whk_1', 'https://shop.example', 'k', '', '', now(), now(), tx, position from events
    where event_id = 'evt_3'`)
  await migrate(url)
  const accounts = { accountIds: ['demo'], nowsMs: [Date.now()] }
  const [claimed] = await claimDueWebhooks(pool, accounts, { limit: 10, leaseMs: 30_000, suspects: [10, 10] })
  assert.equal(claimed?.cursorFeedPosition, 3)
  const { rows } = await pool.query(
    `select count(*)::int as n from events as e join webhook_endpoints as w using (account_id)
     where (e.tx, e.position) > (w.cursor_tx, w.cursor_position)`,
  )
  assert.equal(rows[0].n, 0)
})

/** A database as the release before event places left it, with two accounts. */
async function databaseOfBefore(t: TestContext): Promise<{ pool: pg.Pool; url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'drover-before-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const name of readdirSync(MIGRATIONS)) {
    if (name < FIRST_WITH_PLACES) cpSync(fileURLToPath(new URL(name, MIGRATIONS)), join(folder, name))
  }
  const { pool, url } = await emptyDatabase(t)
  await migrate(url, { folder: pathToFileURL(`${folder}/`) })
  await pool.query(
    `insert into accounts (account_id, version, mode) values ('demo', 1, 'sandbox'), ('acme', 1, 'sandbox')`,
  )
  return { pool, url }
}
