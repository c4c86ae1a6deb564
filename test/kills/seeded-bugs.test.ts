import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deps } from '../../src/operations/deps.ts'
import { claimDelivery } from '../../src/store/deliveries/due-deliveries.ts'
import type { Fixture } from '../fixture.ts'
import {
  activeBookingsAt,
  arrangeDelivery,
  type BookingRecovery,
  crashFixture,
  letTimePass,
} from './crash-fixture.ts'
import { bookNaively, SEEDED_BUGS, type SeededBugName } from './seeded-bugs.ts'
import { doWork, nowOf } from './work.ts'

/** The carrier books, and its response is lost: then a worker takes over, and another. */
const CASES: readonly { bug: SeededBugName; recovery: BookingRecovery; atOnce?: true }[] = [
  { bug: 'new_key_each_try', recovery: 'swiftly' },
  { bug: 'look_up_at_once', recovery: 'southern', atOnce: true },
  { bug: 'silence_means_no', recovery: 'haul' },
  { bug: 'no_intent', recovery: 'swiftly' },
  { bug: 'no_intent', recovery: 'southern' },
  { bug: 'no_intent', recovery: 'haul' },
]

test('after a lost response each seeded bug makes a double booking, and the real code makes none', async (t) => {
  const fixture = await crashFixture(t)
  for (const { bug, recovery, atOnce } of CASES) {
    const withBug = await activeBookingsAfter(fixture, recovery, `${bug}-${recovery}`, turnOf(bug), atOnce)
    assert.ok(withBug.length > 1, `${bug} at ${recovery}: ${withBug.length} active bookings`)
    const withoutBug = await activeBookingsAfter(
      fixture,
      recovery,
      `no-${bug}-${recovery}`,
      turnOf(null),
      atOnce,
    )
    assert.equal(withoutBug.length, 1, `without the bug, at ${recovery}: ${withoutBug} are active`)
  }
})

type Turn = (deps: Deps, deliveryId: string) => Promise<void>

function turnOf(bug: SeededBugName | null): Turn {
  if (bug === 'no_intent') return naiveTurn
  return (deps, deliveryId) => {
    const faulty = { ...deps }
    if (bug) SEEDED_BUGS[bug].worker({ deps: faulty })
    return doWork(faulty, { deliveryId, task: 'turn' })
  }
}

const naiveTurn: Turn = async (deps, deliveryId) => {
  const claimedAtMs = performance.now()
  const row = await claimDelivery(deps.db, 'demo', deliveryId, {
    leaseMs: deps.leaseMs,
    nowMs: nowOf(deps, 'demo'),
  })
  if (row) await bookNaively(deps, [{ row, claimedAtMs }])
}

/** The carrier's bookings at the end. `atOnce`: before a look-up could find them. */
async function activeBookingsAfter(
  fixture: Fixture,
  recovery: BookingRecovery,
  name: string,
  turn: Turn,
  atOnce = false,
) {
  const reference = `${name}-lost-answer`
  const deliveryId = await arrangeDelivery(fixture, recovery, reference)
  for (let turns = 0; turns < 4; turns += 1) {
    await turn(fixture.deps, deliveryId)
    await (atOnce && turns === 0 ? letLeaseEnd : letTimePass)(fixture, deliveryId)
  }
  return activeBookingsAt(fixture, reference)
}

async function letLeaseEnd(fixture: Fixture, deliveryId: string): Promise<void> {
  await fixture.deps.db.query(
    `update deliveries set due_at = created_at, lease_until = lease_until - interval '1 hour' where delivery_id = $1`,
    [deliveryId],
  )
}
