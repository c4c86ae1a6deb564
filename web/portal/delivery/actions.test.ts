import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATUSES } from '../../../src/domain/delivery/status.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { actionsOf, handoverOpen, isInDoubt } from './actions.ts'

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

function open(over: Partial<Delivery>, inDoubt = false): string[] {
  const actions = actionsOf({ ...booked, ...over } as Delivery, { inDoubt, nowMs: NOW_MS })
  return actions.filter(({ closed }) => closed === null).map(({ verb }) => verb)
}

test('the status table says what is open', () => {
  const late = { to_datetime: '2026-11-23T08:00:00Z' }
  const unbooked = { consignment_number: undefined, label_url: undefined } as unknown as Partial<Delivery>
  for (const [over, verbs] of [
    [{ status: 'requested', ...unbooked }, ['book', 'assign', 'amend', 'cancel']],
    [{ status: 'on_hold', ...unbooked }, ['retry', 'assign', 'amend', 'cancel']],
    [{}, ['print', 'reassign', 'cancel']],
    [{ manifest_status: 'pending' }, ['manifest', 'print', 'reassign', 'cancel']],
    [{ manifest_status: 'manifested' }, ['print', 'cancel']],
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

test('a booking in doubt is settled before anything else', () => {
  const held = { status: 'on_hold', label_url: undefined } as unknown as Partial<Delivery>
  assert.deepEqual(open(held, true), ['settle', 'cancel'])
  assert.deepEqual(open({ ...held, pending_cancellation: asked('cancel') }, true), ['settle'])
})

test('it is given to somebody else in the one way that its state leaves open', () => {
  const held = { ...booked, status: 'on_hold' } as Delivery
  for (const [delivery, inDoubt, way] of [
    [booked, false, 'reassign'],
    [{ ...booked, manifest_status: 'manifested' }, false, null],
    [{ ...booked, status: 'requested' }, false, 'assign'],
    [{ ...booked, use_staff_couriers: true }, false, 'assign'],
    [held, false, 'assign'],
    [held, true, null],
    [{ ...booked, status: 'delivered' }, false, null],
  ] as [Delivery, boolean, string | null][]) {
    assert.equal(handoverOpen(delivery, inDoubt), way)
  }
})

test('only what is held can be in doubt, by a booking that was never answered', () => {
  const decision = { attempts: [{ state: 'unknown' }] } as Parameters<typeof isInDoubt>[1]
  const held = { ...booked, status: 'on_hold' } as Delivery
  assert.equal(isInDoubt(held, decision), true)
  assert.equal(isInDoubt(held, { attempts: [] }), false)
  assert.equal(isInDoubt(held, undefined), false)
  assert.equal(isInDoubt(booked, decision), false)
})

test('whatever is closed says why, in every status', () => {
  for (const status of STATUSES) {
    for (const { closed } of actionsOf({ ...booked, status }, { inDoubt: false, nowMs: NOW_MS })) {
      if (closed !== null) assert.match(closed, /^[A-Z].*\.$/)
    }
  }
})
