import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { testWorld } from '../../test/world.ts'
import { listFeed } from '../store/event-feed.ts'
import { checkFeed } from './feed.ts'

const AFTER_RESTORE = new URL('../../docs/operations/after-restore.sql', import.meta.url)

test('after a restore from a dump the doctor says why nothing is told, and what it says helps', async (t) => {
  const { databaseUrl, deps } = await testWorld(t, { work: false })
  assert.equal((await checkFeed(deps.db)).found, 'good')

  // What a dump brings along: an event with the number of a cluster that was further.
  await deps.db.query(
    `insert into events (account_id, stream, event_id, type, at, source, tx)
     values ('demo', '', 'evt_restored', 'x', now(), 'test',
       (pg_current_xact_id()::text::bigint + 5000)::text::xid8)`,
  )
  assert.equal((await checkFeed(deps.db)).found, 'wrong')
  assert.ok(!(await told()).includes('evt_restored'))

  const client = new pg.Client(databaseUrl)
  await client.connect()
  for (const statement of (await readFile(AFTER_RESTORE, 'utf8')).split(/;\n(?=do )/)) {
    await client.query(statement)
  }
  await client.end()
  assert.equal((await checkFeed(deps.db)).found, 'good')
  // Transactions of other tests that are still under way hold the feed back a little.
  const endsAtMs = Date.now() + 60_000
  while (!(await told()).includes('evt_restored')) {
    assert.ok(Date.now() < endsAtMs, 'it is not told')
    await sleep(50)
  }

  async function told(): Promise<string[]> {
    const events = await listFeed(deps.db, 'demo', { after: null, storeIds: null, limit: 1_000 })
    return events.map(({ id }) => id)
  }
})
