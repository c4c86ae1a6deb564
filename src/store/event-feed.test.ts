import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryRequest, timestamp } from '../../test/requests.ts'
import { anyone, TUESDAY_TEN_MS, testWorld, type World } from '../../test/world.ts'
import { createDelivery } from '../operations/create-delivery.ts'
import { changeDelivery } from './change-delivery.ts'
import type { Db } from './deliveries.ts'
import { type FeedPlace, listFeed } from './event-feed.ts'
import { withTransaction } from './pool.ts'

test('nothing is shown that an older transaction could still come before', async (t) => {
  const world = await testWorld(t, { work: false })
  const early = await create(world, 'EARLY')
  const late = await create(world, 'LATE')
  await shown(world)
  const before = await feed(world)
  await withTransaction(world.deps.db, async (db) => {
    await tell(db, world, early, 'delivery.exception')
    await tell(world.deps.db, world, late, 'delivery.exception')
    assert.deepEqual(await feed(world), before, 'the later one waits for the earlier')
  })
  await shown(world)
  const after = await feed(world)
  assert.deepEqual(
    after.slice(before.length).map(({ stream }) => stream),
    [early, late],
  )
})

test('a delivery’s events stay in order also when the older transaction told last', async (t) => {
  const world = await testWorld(t, { work: false })
  const other = await create(world, 'OTHER')
  const id = await withTransaction(world.deps.db, async (db) => {
    // It has its number now; what follows on other connections gets higher ones.
    await tell(db, world, other, 'delivery.exception')
    const made = await create(world, 'ONE')
    await tell(world.deps.db, world, made, 'delivery.first')
    await tell(db, world, made, 'delivery.second')
    return made
  })
  await tell(world.deps.db, world, id, 'delivery.third')
  await shown(world)
  const own = (await feed(world)).filter(({ stream }) => stream === id)
  assert.deepEqual(
    own.map(({ type, sequence }) => [type, sequence]),
    [
      ['delivery.created', 1],
      ['delivery.requested', 2],
      ['delivery.first', 3],
      ['delivery.second', 4],
      ['delivery.third', 5],
    ],
  )
})

test('a reader that follows many writers misses nothing and reads nothing twice', async (t) => {
  const world = await testWorld(t, { work: false })
  const ids = await Promise.all(Array.from({ length: 8 }, (_, number) => create(world, `W-${number}`)))
  let writing = true
  const writers = ids.map(async (id, number) => {
    for (let turn = 0; turn < 25; turn++) {
      const next = ids[(number + turn) % ids.length] as string
      await withTransaction(world.deps.db, async (db) => {
        // In the order of ids, so that two writers never wait for each other.
        for (const one of [...new Set([id, next])].sort()) await tell(db, world, one, 'delivery.exception')
      })
    }
  })
  const all = Promise.all(writers).finally(() => {
    writing = false
  })
  const seen: { id: string; stream: string; sequence: number }[] = []
  let place: FeedPlace | null = null
  for (;;) {
    const last = !writing
    if (last) await shown(world)
    const page = await listFeed(world.deps.db, 'demo', { after: place, storeIds: null, limit: 7 })
    seen.push(...page)
    place = page.at(-1) ?? place
    if (last && page.length === 0) break
  }
  await all
  const { rows } = await world.deps.db.query('select count(*)::int as all from events')
  assert.equal(seen.length, rows[0].all)
  assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length)
  for (const [stream, events] of Map.groupBy(seen, (event) => event.stream)) {
    const sequences = events.map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      Array.from(sequences, (_, index) => index + 1),
      stream,
    )
  }
})

async function create(world: World, reference: string): Promise<string> {
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const readyForPickupAt = timestamp('2026-11-26T10:30:00+11:00')
  const request = { ...deliveryRequest, storeReference: 'melbourne-cbd', readyForPickupAt, reference }
  await createDelivery(world.deps, world.demo(), anyone, request, options)
  const { rows } = await world.deps.db.query('select delivery_id from deliveries where reference = $1', [
    reference,
  ])
  return rows[0].delivery_id
}

async function tell(db: Db, world: World, deliveryId: string, type: string): Promise<void> {
  const target = {
    accountId: 'demo',
    deliveryId,
    nowMs: TUESDAY_TEN_MS,
    guard: { statuses: ['requested'] as const },
  }
  const told = await changeDelivery(db, target, {}, [
    {
      eventId: world.deps.newId('evt'),
      type,
      atMs: TUESDAY_TEN_MS,
      source: 'worker',
      from: null,
      to: null,
      subStatus: null,
      consignmentNumber: null,
      detail: null,
    },
  ])
  assert.ok(told)
}

/** The horizon is the whole server's: tests beside us hold it back for a moment too. */
async function shown(world: World): Promise<void> {
  const all = 'select bool_and(tx < pg_snapshot_xmin(pg_current_snapshot())) as shown from events'
  while (!(await world.deps.db.query<{ shown: boolean }>(all)).rows[0]?.shown) await sleep(20)
}

function feed(world: World) {
  return listFeed(world.deps.db, 'demo', { after: null, storeIds: null, limit: 1_000 })
}
