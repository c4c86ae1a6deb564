import assert from 'node:assert/strict'
import test from 'node:test'
import { BEFORE_COLLECTION } from '../own-network/job.ts'
import { type Holder, MANUAL_OUTCOMES, pathToOutcome } from './outcome-by-hand.ts'
import { can, isFinal, STATUSES, type Status, TRANSITIONS, transition } from './status.ts'

const OWN: Holder = { by: 'own' }
const LATE: Holder = { by: 'carrier', isOverdue: true }
const IN_TIME: Holder = { by: 'carrier', isOverdue: false }

/** Where a person of the store can bring a delivery from a status: cancel, assign again, record an outcome. */
function nextStatuses(status: Status, holder: Holder): Status[] {
  const statuses: Status[] = []
  if (can('cancel', { status })) statuses.push('cancelled')
  if (holder.by === 'own' && (can('book', { status }) || BEFORE_COLLECTION.includes(status)))
    statuses.push('requested')
  for (const outcome of MANUAL_OUTCOMES) {
    const found = pathToOutcome(status, outcome, holder)
    if ('path' in found) statuses.push(found.path.at(-1) as Status)
  }
  return statuses
}

function reachesEnd(from: Status, holder: Holder): boolean {
  const seen = new Set<Status>([from])
  const open = [from]
  for (const status of open) {
    if (isFinal(status)) return true
    for (const next of nextStatuses(status, holder)) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(next)
    }
  }
  return false
}

test('staff can bring a delivery to a final status from every status', () => {
  for (const holder of [OWN, LATE])
    for (const status of STATUSES) assert.ok(reachesEnd(status, holder), `${status}, ${holder.by}`)
})

test('staff cannot record the outcome of a carrier’s delivery before it is overdue', () => {
  for (const status of STATUSES)
    for (const outcome of MANUAL_OUTCOMES) assert.ok('why' in pathToOutcome(status, outcome, IN_TIME))
})

test('every path follows the transition table from the current status', () => {
  let paths = 0
  for (const holder of [OWN, LATE])
    for (const status of STATUSES)
      for (const outcome of MANUAL_OUTCOMES) {
        const found = pathToOutcome(status, outcome, holder)
        if ('why' in found) continue
        paths += 1
        assert.equal(found.path[0], status)
        for (const [index, to] of found.path.slice(1).entries())
          assert.ok(transition(found.path[index] as Status, to), `${found.path[index]} → ${to}`)
      }
  assert.ok(paths >= 15)
  assert.deepEqual(Object.keys(TRANSITIONS.pending_return), ['returned'])
})

test('an outcome that cannot be recorded says why and what to do', () => {
  for (const status of STATUSES)
    for (const outcome of MANUAL_OUTCOMES) {
      const found = pathToOutcome(status, outcome, OWN)
      if ('why' in found) assert.match(found.why, /^It is [a-z_]+\. [A-Z].*\.$/)
    }
})
