import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsRead } from '../../../test/count-rows-read.ts'
import { anyone, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { makeWebhookClaimer, sendWebhooks } from '../../operations/webhooks/send-webhooks.ts'
import { createWebhookEndpoint } from '../../operations/webhooks/webhook-endpoints.ts'
import { replayWebhooks } from '../../operations/webhooks/webhook-history.ts'
import { listReadySends, queueFromFeed, queueReplay } from './webhook-queue.ts'

const HOUR_MS = 3_600_000
const HISTORY = 3_000
const MAX_READ = 200

test('a replay reads the feed in bounded steps', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  // One an hour; the fifth has the time of a clock that was set ahead for a while.
  await db.query(
    `insert into events (account_id, stream, event_id, type, at, source, data)
     select 'demo', '', 'evt_' || n, 'manifest.created', $1::timestamptz - ($2 - n) * interval '1 hour', 'api', '{}'
     from generate_series(1, $2::int) as n`,
    [new Date(TUESDAY_TEN_MS).toISOString(), HISTORY],
  )
  await db.query(`update events set at = $1 where event_id = 'evt_5'`, [
    new Date(TUESDAY_TEN_MS + HOUR_MS).toISOString(),
  ])
  await db.query('analyze events')
  const url = 'http://127.0.0.1:9/dead'
  const { endpoint } = await createWebhookEndpoint(fixture.deps, fixture.demo(), anyone, {
    url,
    eventTypes: null,
  })
  const fromMs = TUESDAY_TEN_MS - 99 * HOUR_MS
  await replayWebhooks(fixture.deps, fixture.demo(), anyone, endpoint.id, { fromMs })

  const [claim] = await makeWebhookClaimer()(fixture.deps, 1)
  assert.ok(claim)
  const share = { nowMs: TUESDAY_TEN_MS, leaseMs: 30_000, limit: 30, maxRead: MAX_READ }
  let steps = 0
  for (let going = true; going; steps++) {
    const read = await rowsRead(db, 'events', async (client) => {
      going = await queueReplay(client, claim, share)
    })
    assert.ok(read <= 2 * MAX_READ + 10, `${read} rows in a step`)
  }
  assert.ok(steps >= HISTORY / MAX_READ && steps <= HISTORY / MAX_READ + 8, `${steps} steps`)
  const { rows } = await db.query('select event_id from webhook_sends order by position')
  const since = Array.from({ length: 100 }, (_, n) => `evt_${HISTORY - 99 + n}`)
  assert.deepEqual(
    rows.map(({ event_id }) => event_id),
    ['evt_5', ...since],
  )
})

test('an unfinished replay wakes the next turn at once', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps } = fixture
  await deps.db.query(
    `insert into events (account_id, stream, event_id, type, at, source, data)
     select 'demo', '', 'evt_' || n, 'manifest.created', '2020-01-01', 'api', '{}' from generate_series(1, 20001) as n`,
  )
  const url = 'http://127.0.0.1:9/dead'
  const { endpoint } = await createWebhookEndpoint(deps, fixture.demo(), anyone, { url, eventTypes: null })
  await replayWebhooks(deps, fixture.demo(), anyone, endpoint.id, { fromMs: TUESDAY_TEN_MS })
  let woken = 0
  const turn = async () => sendWebhooks({ ...deps, wake: () => woken++ }, await makeWebhookClaimer()(deps, 1))
  const replays = async () => (await deps.db.query('select from webhook_replays')).rowCount
  await turn()
  assert.deepEqual([await replays(), woken], [1, 1])
  await turn()
  assert.equal(await replays(), 0)
})

test('a send whose event was erased is deleted, and those behind it are sent', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const url = 'http://127.0.0.1:9/dead'
  await createWebhookEndpoint(fixture.deps, fixture.demo(), anyone, { url, eventTypes: null })
  await db.query(
    `insert into events (account_id, stream, event_id, type, at, source, data)
     select 'demo', '', 'evt_' || n, 'manifest.created', '2020-01-01', 'api', '{}' from generate_series(1, 3) as n`,
  )
  const [claim] = await makeWebhookClaimer()(fixture.deps, 1)
  assert.ok(claim)
  const page = { nowMs: TUESDAY_TEN_MS, leaseMs: 30_000, limit: 30 }
  await queueFromFeed(db, claim, page)
  await db.query(`delete from events where event_id in ('evt_1', 'evt_2')`)
  const ready = await listReadySends(db, claim, { ...page, limit: 2, without: [] })
  assert.deepEqual(
    ready.map(({ id }) => id),
    ['evt_3'],
  )
  const sends = await db.query('select event_id from webhook_sends')
  assert.deepEqual(sends.rows, [{ event_id: 'evt_3' }])
  assert.deepEqual((await db.query('select backlog from webhook_endpoints')).rows, [{ backlog: 1 }])
})
