import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { encodeTime } from 'ulid'
import { read } from '../../test/booked-deliveries.ts'
import { anyone, TUESDAY_TEN_MS, testFixture } from '../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../test/requests.ts'
import { until } from '../../test/wait-until.ts'
import { createDelivery } from '../operations/deliveries/create-delivery.ts'
import { publishEvents } from '../store/deliveries/publish-events.ts'
import { readSharedStateFigures, readStateFigures } from '../store/housekeeping/state-figures.ts'
import { registerStateMetrics } from './state-metrics.ts'

const ignore = (): void => {}
const HOUR_MS = 3_600_000
const windowTo = (hour: number) => `window_from = null, window_to = '2026-11-24T${hour}:00:00+11:00'`

test('the figures count due, late, dead-lettered and unknown rows, by each account’s clock', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const figures = async () => {
    const rows = await readStateFigures(db)
    for (const { mode } of rows) assert.equal(mode, 'sandbox')
    return new Map(rows.map(({ figure, name, value }) => [`${figure} ${name}`, value]))
  }
  const update = (reference: string, set: string) =>
    db.query(`update deliveries set ${set} where reference = '${reference}'`)
  for (const reference of ['DUE', 'HELD', 'PARKED', 'IN-HAND', 'LATE', 'CAME', 'CAME-LATE'])
    await create(reference)
  await db.query(`update deliveries set due_at = '2026-11-24T09:59:00+11:00'`)

  const before = await figures()
  assert.equal(before.get('due deliveries'), 7)
  assert.ok((before.get('due_oldest_s deliveries') ?? 0) >= 60)
  assert.equal(before.get('deliveries late'), undefined)

  const { id } = await read(fixture, 'HELD')
  await update('HELD', `status = 'on_hold', due_at = null`)
  await update('PARKED', `dead_lettered_at = now(), due_at = null`)
  await update('IN-HAND', `lease_until = now() + interval '1 hour'`)
  await update('LATE', `${windowTo(11)}, due_at = null`)
  const ended = `status = 'delivered', due_at = null, updated_at = '2026-11-24T12:30:00+11:00'`
  await update('CAME', `${ended}, ${windowTo(13)}`)
  await update('CAME-LATE', `${ended}, ${windowTo(11)}`)
  await db.query(
    `insert into booking_intents (account_id, delivery_id, attempt, key, provider, service, consignment, option,
       content_version, state, fence, created_at, settle_until, requested_at)
     values ('demo', $1, 1, 'k', 'p', 's', '{}', '{}', 1, 'unknown', 1, now(), now(), now() - interval '5 minutes')`,
    [id],
  )
  await db.query(
    `insert into orphaned_bookings (account_id, provider, reference, delivery_id, attempt, consignment_number, found_at,
       due_at, outcome)
     values ('demo', 'p', 'open', $1, 1, 'open', now(), '2026-11-24T12:59:00+11:00', null),
       ('demo', 'p', 'ended', $1, 1, 'ended', now(), null, 'refused')`,
    [id],
  )
  await fixture.setClock(TUESDAY_TEN_MS + 3 * HOUR_MS)

  const after = await figures()
  assert.equal(after.get('due deliveries'), 1)
  const dueS = after.get('due_oldest_s deliveries') ?? 0
  assert.ok(dueS >= (2 * HOUR_MS) / 1000, `due for ${dueS} s`)
  for (const [figure, expected] of [
    ['deliveries on_hold', 1],
    ['deliveries late', 1],
    ['deliveries delivered', undefined],
    ['dead_lettered deliveries', 1],
    ['unanswered unknown', 1],
    ['due orphaned bookings', 1],
    ['ended on_time', 1],
    ['ended late', 1],
  ] as const) {
    assert.equal(after.get(figure), expected, figure)
  }
  assert.ok((after.get('unanswered_oldest_s unknown') ?? 0) >= 300)

  // A test clock set back: work that is due at a fixed time is not due yet, and no age is negative.
  await db.query(
    `update deliveries set due_at = ready_for_pickup_at - interval '60 minutes' where due_at is not null`,
  )
  await fixture.setClock(TUESDAY_TEN_MS - 24 * HOUR_MS)
  const back = await figures()
  assert.equal(back.get('due deliveries'), 0)
  assert.equal(back.get('due_oldest_s deliveries'), 0)

  async function create(reference: string): Promise<void> {
    const readyForPickupAt = timestamp('2026-11-24T12:00:00+11:00')
    await createDelivery(
      fixture.deps,
      fixture.demo(),
      anyone,
      { ...deliveryRequest, storeReference: 'melbourne-cbd', reference, readyForPickupAt },
      { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) },
    )
  }
})

test('an endpoint that gets no webhooks shows as events that it has not received', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  await db.query(
    `insert into webhook_endpoints (account_id, endpoint_id, url, key_id, nonce, ciphertext, created_at, updated_at,
       cursor_feed_position, backlog)
     select 'demo', name, 'https://example.com', 'k', '', '', now(), now(), 0, 3
     from unnest(array['told', 'paused']) as name`,
  )
  await db.query(`update webhook_endpoints set paused_at = now() where endpoint_id = 'paused'`)
  await db.query(
    `insert into events (account_id, stream, event_id, type, at, source)
     values ('demo', '', $2, 'x', to_timestamp($1), 'test')`,
    [TUESDAY_TEN_MS / 1000 - 60, `evt_${encodeTime(Date.now() - 30_000).toLowerCase()}0123456789abcdef`],
  )
  const read = async () =>
    new Map((await readStateFigures(db)).map((row) => [`${row.figure} ${row.name}`, row.value]))
  const ageS = (await read()).get('unpublished_oldest_s events') ?? 0
  assert.ok(ageS >= 30 && ageS < 90, `${ageS} s`)
  await publishEvents(db, ['demo'])
  const figures = await read()
  assert.equal(figures.get('unpublished_oldest_s events'), 0)
  assert.equal(figures.get('due webhook feed'), 1)
  assert.ok((figures.get('due_oldest_s webhook feed') ?? 0) >= 60)
  assert.equal(figures.get('endpoints working'), 1)
  assert.equal(figures.get('endpoints paused'), 1)
  assert.equal(figures.get('webhook_backlog sends'), 6)

  const text = await fixture.parts.registry.metrics()
  assert.match(text, /^drover_work_due\{mode="sandbox",source="webhook feed"\} 1$/m)
  assert.match(text, /^drover_database_reachable 1$/m)
  assert.ok(!text.includes('demo'), 'no account is named')
})

test('without its database a process still reports its own figures, and queries once in ten seconds', async () => {
  const registry = new Registry()
  let asked = 0
  registerStateMetrics(registry, () => {
    asked += 1
    return Promise.reject(new Error('away'))
  })
  for (const text of [await registry.metrics(), await registry.metrics()]) {
    assert.match(text, /^drover_database_reachable 0$/m)
    assert.doesNotMatch(text, /^drover_work_due\{/m)
  }
  assert.equal(asked, 1)
})

test('processes share the figures: one computes them, a scrape reads one row', async (t) => {
  const { deps, parts } = await testFixture(t, { work: false })
  const { db } = deps
  const computed = async () => {
    const statements = await parts.registry.getSingleMetric('drover_database_statements_total')?.get()
    return statements?.values.find(({ labels }) => labels.statement === 'read-state-figures')?.value ?? 0
  }
  const first = await readSharedStateFigures(db, ignore)
  assert.equal(first.ageS, 0)
  assert.ok(first.figures.length > 0)
  await db.query(`insert into orphaned_bookings (account_id, provider, reference, delivery_id, attempt, consignment_number,
      found_at, due_at)
    select account_id, 'p', 'r', delivery_id, 1, 'c', now(), '2000-01-01' from deliveries limit 1`)
  const again = await readSharedStateFigures(db, ignore)
  assert.deepEqual(again.figures, first.figures, 'not computed again within ten seconds')

  // Due again, and still fresh enough to report: of many readers one computes, and nobody waits for it.
  await db.query(`update state_figures set computed_at = now() - interval '15 s', figures = '[]'`)
  const before = await computed()
  const [read] = await Promise.all(Array.from({ length: 8 }, () => readSharedStateFigures(db, ignore)))
  assert.deepEqual([read?.figures, (read?.ageS ?? 0) >= 15], [[], true])
  await until(
    async () => (await readSharedStateFigures(db, ignore)).figures.length > 0,
    'the figures are computed',
  )
  assert.equal((await computed()) - before, 1)

  await db.query(`update state_figures set computed_at = now() - interval '6 minutes', figures = '[]'`)
  assert.ok((await readSharedStateFigures(db, ignore)).figures.length > 0, 'stale figures are not reported')
  // A process that dies while it computes holds the others up for its lease only.
  await db.query(
    `update state_figures set computed_at = '-infinity', lease_until = now() + interval '1 s', figures = '[]'`,
  )
  assert.deepEqual((await readSharedStateFigures(db, ignore)).figures, [])
  await db.query(`update state_figures set lease_until = now() - interval '1 s'`)
  assert.ok((await readSharedStateFigures(db, ignore)).figures.length > 0)
})
