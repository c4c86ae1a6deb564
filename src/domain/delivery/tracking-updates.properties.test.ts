import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isFinal, STATUSES, type Status, transition } from './status.ts'
import { applyTrackingUpdates, type TrackingEffect, type TrackingUpdate } from './tracking-updates.ts'

/** A tracking update may have no status, or any status from the booking on. */
const REPORTED_STATUSES = [null, ...STATUSES.slice(STATUSES.indexOf('booked'))]
const SUB_STATUSES = [null, null, 'out_for_delivery', 'delayed', 'damaged', 'undeliverable'] as const
const EXCEPTIONS: ReadonlySet<string | null> = new Set(['delayed', 'damaged', 'undeliverable'])

const BOOKED = { status: 'booked' as Status, subStatus: null, carrierEventAtMs: null }

/** Tracking updates with distinct times, in any order: updates that arrive together are applied one by one. */
const arrivals = fc
  .array(
    fc.record({ status: fc.constantFrom(...REPORTED_STATUSES), subStatus: fc.constantFrom(...SUB_STATUSES) }),
    {
      minLength: 1,
      maxLength: 7,
    },
  )
  .chain((drawn) => {
    const updates = drawn.map((one, index): TrackingUpdate => {
      return { ...one, eventId: `e${index}`, atMs: 1_000 + index, message: `${one.status} ${one.subStatus}` }
    })
    return fc.shuffledSubarray(updates, { minLength: updates.length })
  })

test('updates in any order end in the same status as updates in order of time, as far as transitions allow', () => {
  const property = fc.property(arrivals, (updates) => {
    const earlier: TrackingUpdate[] = []
    let known = BOOKED as Parameters<typeof applyTrackingUpdates>[0]
    for (const item of updates) {
      const before = known.status
      known = applyTrackingUpdates(known, [item], earlier)
      earlier.push(item)
      const inOrder = applyTrackingUpdates(BOOKED, earlier)
      if (isBarred(before, inOrder.status)) return
      assert.deepEqual([known.status, known.subStatus], [inOrder.status, inOrder.subStatus])
    }
  })
  fc.assert(property, { numRuns: 2_000 })
})

test('every step is an allowed transition, and each update is reported once', () => {
  const property = fc.property(arrivals, (updates) => {
    const earlier: TrackingUpdate[] = []
    let known = BOOKED as Parameters<typeof applyTrackingUpdates>[0]
    for (const item of updates) {
      const { effects, ...after } = applyTrackingUpdates(known, [item], earlier)
      assert.equal(walk(known.status, effects), after.status)
      assertNotifiedOnce(known.status, item, effects)
      earlier.push(item)
      known = after
    }
  })
  fc.assert(property, { numRuns: 2_000 })
})

/** Moves that the status table does not allow through tracking updates alone. */
function isBarred(from: Status, to: Status): boolean {
  if (isFinal(from)) return true
  if (from === 'pending_return') return to !== 'pending_return' && to !== 'returned'
  return to === 'cancelled' && transition(from, to) === null
}

function walk(from: Status, effects: readonly TrackingEffect[]): Status {
  let at = from
  for (const step of effects) {
    if (step.to === null) continue
    assert.equal(step.from, at)
    assert.equal(step.type, transition(at, step.to))
    at = step.to
  }
  return at
}

function assertNotifiedOnce(
  before: Status,
  { subStatus }: TrackingUpdate,
  effects: readonly TrackingEffect[],
): void {
  const exceptions = effects.filter(({ type }) => type === 'delivery.exception').length
  const still = effects.filter(({ to, type }) => to === null && type !== 'delivery.exception').length
  const moved = effects.some(({ to }) => to !== null)
  assert.equal(still, moved ? 0 : 1)
  if (isFinal(before)) assert.equal(exceptions, 0)
  else if (EXCEPTIONS.has(subStatus)) assert.equal(exceptions, 1)
}
