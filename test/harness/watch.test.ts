import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { book } from '../booked-deliveries.ts'
import { TUESDAY_TEN_MS, testFixture } from '../fixture.ts'
import { waitsOf, watchDatabase } from './watch.ts'

test('waits of deliveries that killed several workers are counted separately', () => {
  const usual = Array.from({ length: 200 }, (_, index) => ({ ms: index + 1, suspect: false }))
  assert.deepEqual(waitsOf([...usual, { ms: 9_000, suspect: true }, { ms: 8_000, suspect: true }]), {
    medianMs: 101,
    p99Ms: 198,
    longestMs: 200,
    suspects: { count: 2, longestMs: 9_000 },
  })
  const none = {
    medianMs: null,
    p99Ms: null,
    longestMs: null,
    suspects: { count: 0, longestMs: null },
  }
  assert.deepEqual(waitsOf([]), none)
})

test('the watch sees an expired lease and a resolved attempt, and how many workers they killed', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  await book(fixture, 'DUE')
  await book(fixture, 'DEADLY')
  await db.query(LEFT, [new Date(TUESDAY_TEN_MS)])
  await db.query(UNANSWERED)
  const watch = watchDatabase(db)
  t.after(watch.stop)
  while (watch.unknowns().longestMs === null) await sleep(50)
  const [lapses, unknowns] = [watch.lapses(), watch.unknowns()]
  assert.ok((lapses.longestMs ?? 0) > 60_000 && (lapses.longestMs ?? 0) < 120_000, `${lapses.longestMs}`)
  assert.equal(lapses.suspects.count, 1)
  assert.ok((unknowns.longestMs ?? 0) > 20_000 && (unknowns.longestMs ?? 0) < 60_000, `${unknowns.longestMs}`)
  assert.equal(unknowns.suspects.count, 0)
})

test('the watch sees deliveries on hold only while their carrier will be asked again', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const { id } = await book(fixture, 'ASKED')
  await book(fixture, 'GIVEN-UP')
  await db.query(HELD)
  const watch = watchDatabase(db)
  t.after(watch.stop)
  assert.deepEqual(await watch.rechecked(), new Set([id]))
})

const HELD = `update deliveries set status = 'on_hold', status_reason = 'No answer. We keep asking.',
  due_at = case reference when 'ASKED' then now() end`
/** A minute after the leases have expired. */
const LEFT = `update deliveries set due_at = $1, lease_until = now() - interval '1 minute',
  claims = case reference when 'DEADLY' then 5 else 4 end`
const UNANSWERED = `update booking_intents set state = 'unknown', settle_until = now() - interval '20 seconds'
  where delivery_id = (select delivery_id from deliveries where reference = 'DUE')`
