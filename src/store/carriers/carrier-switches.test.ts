import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PoolClient } from 'pg'
import { book } from '../../../test/booked-deliveries.ts'
import { ON_CITUS } from '../../../test/database.ts'
import { type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { untilLockAwaited } from '../../../test/until-lock-awaited.ts'
import { withTransaction } from '../db/pool.ts'
import { recallDeliveries, removeCarrierOff } from './carrier-switches.ts'

const RECALL = { reason: 'It does not answer.', manifested: false, nowMs: TUESDAY_TEN_MS }

test('recalls lock deliveries in the order of their ids', {
  skip: ON_CITUS && 'CLUSTER doesn’t reorder Citus shards',
}, async (t) => {
  const fixture = await testFixture(t, { work: false })
  const first = await book(fixture, 'A-1')
  const second = await book(fixture, 'A-2')
  const provider = first.chosen?.provider as string
  assert.equal(second.chosen?.provider, provider)
  const verbs: ((db: PoolClient) => Promise<unknown>)[] = [
    (db) => recallDeliveries(db, 'demo', provider, RECALL),
    (db) => removeCarrierOff(db, 'demo', provider, fixture.demo().nowMs()),
  ]
  for (const verb of verbs) {
    await newestFirstOnDisk(fixture)
    await locksInOrder(fixture, [first.id, second.id], verb)
  }
})

/** While another has the first, the second is not taken: else that one, who goes on to it, would wait for ever. */
function locksInOrder(
  { deps: { db } }: Fixture,
  [first, second]: [string, string],
  verb: (db: PoolClient) => Promise<unknown>,
): Promise<void> {
  return withTransaction(db, async (other) => {
    const lock = (id: string) =>
      other.query('select from deliveries where delivery_id = $1 for update nowait', [id])
    await lock(first)
    const done = withTransaction(db, async (ours) => {
      // As it reads a large part of a table.
      await ours.query('set local enable_indexscan = off; set local enable_bitmapscan = off')
      await verb(ours)
    })
    await untilLockAwaited(db)
    await lock(second)
    return { done }
  }).then(({ done }) => done)
}

/** Whole tables are read as they lie. */
async function newestFirstOnDisk({ deps: { db } }: Fixture): Promise<void> {
  await db.query('create index if not exists newest_first on deliveries (delivery_id desc)')
  await db.query('cluster deliveries using newest_first')
}
