import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFinal, pathBetween, STATUSES, type Status, TRANSITIONS, transition } from './status.ts'

test('every status can be reached from created', () => {
  for (const status of STATUSES) assert.ok(pathBetween('created', status), status)
})

test('delivered, returned and cancelled are final, and nothing else is', () => {
  assert.deepEqual(STATUSES.filter(isFinal), ['delivered', 'returned', 'cancelled'])
})

test('the transition table has exactly the edges of the decision record', () => {
  const decided: Record<Status, Status[]> = {
    created: ['requested', 'cancelled'],
    requested: ['booked', 'on_hold', 'cancelled'],
    on_hold: ['requested', 'cancelled'],
    booked: ['assigned', 'collected', 'reassigned', 'cancelled'],
    assigned: ['approaching', 'collected', 'reassigned', 'cancelled'],
    approaching: ['collected', 'reassigned', 'cancelled'],
    collected: ['delivered', 'pending_return', 'reassigned'],
    delivered: [],
    reassigned: ['assigned', 'booked', 'requested'],
    pending_return: ['returned'],
    returned: [],
    cancelled: [],
  }
  for (const from of STATUSES)
    assert.deepEqual(Object.keys(TRANSITIONS[from]).sort(), decided[from].sort(), from)
  assert.equal(transition('delivered', 'collected'), null)
})
