import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATUSES } from '../../../src/domain/delivery/status.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { actionsOf, handoverOpen, isToManifest } from './actions.ts'

const NOW_MS = Date.parse('2026-11-24T00:00:00Z')

const booked = {
  status: 'booked',
  manifest_status: 'not_required',
  carrier_provider: 'Swiftly',
  consignment_number: 'SW1',
  label_url: 'http://x/label',
  to_datetime: '2026-11-24T08:00:00Z',
} as unknown as Delivery

const asked = (purpose: 'cancel' | 'replan') => ({ at: '2026-11-24T00:00:00.000Z', purpose })

function open(over: Partial<Delivery>): string[] {
  const actions = actionsOf({ ...booked, ...over } as Delivery, NOW_MS)
  return actions.filter(({ disabledReason }) => disabledReason === null).map(({ verb }) => verb)
}

test('each status allows the actions of the status table', () => {
  const late = { to_datetime: '2026-11-23T08:00:00Z' }
  const unbooked = { consignment_number: undefined, label_url: undefined } as unknown as Partial<Delivery>
  for (const [over, verbs] of [
    [{ status: 'requested', ...unbooked }, ['book', 'assign', 'amend', 'cancel']],
    [{ status: 'on_hold', ...unbooked }, ['retry', 'assign', 'amend', 'cancel']],
    [{}, ['print', 'reassign', 'cancel']],
    [{ manifest_status: 'pending' }, ['manifest', 'print', 'reassign', 'cancel']],
    [{ manifest_status: 'manifested', manifest_id: 'man_1' }, ['print', 'cancel']],
    // A manifest that its carrier has not confirmed yet.
    [{ manifest_status: 'pending', manifest_id: 'man_1' }, ['print', 'cancel']],
    [{ manifest_status: 'pending', pending_cancellation: asked('replan') }, ['print', 'reassign', 'cancel']],
    [{ manifest_status: 'pending', pending_cancellation: asked('cancel') }, ['print', 'cancel']],
    [{ use_staff_couriers: true }, ['print', 'assign', 'cancel']],
    [{ status: 'collected' }, ['print']],
    [{ status: 'collected', ...late }, ['returned', 'delivered', 'print']],
    [{ status: 'pending_return', ...late }, ['returned', 'print']],
    [{ manifest_status: 'pending', ...late }, ['manifest', 'print', 'reassign', 'delivered', 'cancel']],
    [{ status: 'approaching', ...late }, ['print', 'reassign', 'delivered', 'cancel']],
    [{ status: 'delivered' }, ['print']],
    [{ status: 'cancelled', ...unbooked }, []],
  ] as [Partial<Delivery>, string[]][]) {
    assert.deepEqual(open(over), verbs, JSON.stringify(over))
  }
})

test('a delivery with an unknown booking cannot be assigned or reassigned', () => {
  const unanswered = {
    ...{ booking_attempt: 'unanswered', label_url: undefined, consignment_number: undefined },
  } as unknown as Partial<Delivery>
  const held = { ...unanswered, status: 'on_hold' } as const
  assert.deepEqual(open(held), ['settle', 'cancel'])
  assert.deepEqual(open({ ...held, pending_cancellation: asked('cancel') }), ['settle'])
  // Dead-lettered: booking it calls the carrier again, and a cancellation waits for the carrier's answer.
  assert.deepEqual(open({ ...unanswered, status: 'requested' }), ['book', 'cancel'])
  const inProgress = { ...unanswered, status: 'requested', booking_attempt: 'in_progress' } as const
  assert.deepEqual(open(inProgress), ['book'])
})

test('each state allows either assign or reassign, not both', () => {
  const held = { ...booked, status: 'on_hold' } as Delivery
  const unanswered = { booking_attempt: 'unanswered' } as const
  for (const [delivery, way] of [
    [booked, 'reassign'],
    [{ ...booked, manifest_status: 'manifested' }, null],
    [{ ...booked, manifest_id: 'man_1' }, null],
    [{ ...booked, status: 'requested' }, 'assign'],
    [{ ...booked, status: 'requested', ...unanswered }, null],
    [{ ...booked, use_staff_couriers: true }, 'assign'],
    [held, 'assign'],
    [{ ...held, ...unanswered }, null],
    [{ ...booked, status: 'delivered' }, null],
  ] as [Delivery, string | null][]) {
    assert.equal(handoverOpen(delivery, NOW_MS), way)
  }
})

test('a delivery on a manifest cannot go on another one, even before the carrier confirms', () => {
  const pending = { ...booked, manifest_status: 'pending' } as Delivery
  assert.equal(isToManifest(pending), true)
  assert.equal(isToManifest({ ...pending, manifest_id: 'man_1' }), false)
})

test('every disabled action has a reason, in every status', () => {
  for (const status of STATUSES) {
    for (const { disabledReason } of actionsOf({ ...booked, status }, NOW_MS)) {
      if (disabledReason !== null) assert.match(disabledReason, /^[A-Z].*\.$/)
    }
  }
})
