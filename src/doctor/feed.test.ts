import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeTime } from 'ulid'
import { anyone, type Fixture, testFixture } from '../../test/fixture.ts'
import { prepareAfterRestore } from '../operations/restore/after-restore.ts'
import { listEvents } from '../operations/webhooks/list-events.ts'
import { checkFeed } from './examine.ts'

test('the doctor lists the accounts with unpublished events', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  await write(fixture, Date.now())
  assert.equal((await checkFeed(db)).found, 'good', 'a worker has a moment for it')
  await feed(fixture)
  await write(fixture, Date.now() - 60_000)
  const { found, message } = await checkFeed(db)
  assert.equal(found, 'wrong')
  assert.match(message, /^Events of demo are not published: the oldest was written 6\d s ago/)
  await feed(fixture)
  assert.equal((await checkFeed(db)).found, 'good')
})

test('after a restore to an earlier moment, readers of the feed miss no new event', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  for (const _ of [1, 2, 3]) await write(fixture, Date.now())
  const read = await feed(fixture)
  // Back to the state after the first event.
  await db.query(`delete from events where feed_position > 1`)
  await db.query(`update event_sequences set last_feed_position = 1 where account_id = 'demo'`)
  await prepareAfterRestore(fixture.deps, { momentMs: Date.now(), withoutBookings: new Set() })
  const id = await write(fixture, Date.now())
  const { events } = await listEvents(fixture.deps, fixture.demo(), anyone, { after: read.next, limit: 50 })
  assert.deepEqual(
    events.map((event) => event.id),
    [id],
  )
})

function feed({ deps, demo }: Fixture) {
  return listEvents(deps, demo(), anyone, { after: null, limit: 50 })
}

/** An event with an id of that time. */
async function write({ deps }: Fixture, wallMs: number): Promise<string> {
  const id = `evt_${encodeTime(wallMs).toLowerCase()}${deps.newId('evt').slice(-16)}`
  await deps.db.query(
    `insert into events (account_id, stream, event_id, type, at, source, data)
     values ('demo', '', $1, 'manifest.created', now(), 'api', '{}')`,
    [id],
  )
  return id
}
