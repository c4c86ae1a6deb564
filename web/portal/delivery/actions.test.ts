import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATUSES } from '../../../src/domain/delivery/status.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { actionsOf } from './actions.ts'

const booked = {
  status: 'booked',
  manifest_status: 'not_required',
  carrier_provider: 'Swiftly',
  consignment_number: 'SW1',
  label_url: 'http://x/label',
} as unknown as Delivery

const asked = (wish: 'cancel' | 'plan_anew') => ({ at: '2026-11-24T00:00:00.000Z', wish })

function open(over: Partial<Delivery>, inDoubt = false): string[] {
  const actions = actionsOf({ ...booked, ...over } as Delivery, { inDoubt })
  return actions.filter(({ closed }) => closed === null).map(({ verb }) => verb)
}

test('the status table says what is open', () => {
  const unbooked = { consignment_number: undefined, label_url: undefined } as unknown as Partial<Delivery>
  for (const [over, verbs] of [
    [{ status: 'requested', ...unbooked }, ['book', 'assign', 'amend', 'cancel']],
    [{ status: 'on_hold', ...unbooked }, ['retry', 'assign', 'amend', 'cancel']],
    [{}, ['print', 'reassign', 'cancel']],
    [{ manifest_status: 'pending' }, ['manifest', 'print', 'reassign', 'cancel']],
    [{ manifest_status: 'manifested' }, ['print', 'cancel']],
    [{ manifest_status: 'pending', asked_back: asked('plan_anew') }, ['print', 'reassign', 'cancel']],
    [{ manifest_status: 'pending', asked_back: asked('cancel') }, ['print', 'cancel']],
    [{ use_staff_couriers: true }, ['print', 'assign', 'cancel']],
    [{ status: 'collected' }, ['print']],
    [{ status: 'delivered' }, ['print']],
    [{ status: 'cancelled', ...unbooked }, []],
  ] as [Partial<Delivery>, string[]][]) {
    assert.deepEqual(open(over), verbs, JSON.stringify(over))
  }
})

test('a booking in doubt is settled before anything else', () => {
  const held = { status: 'on_hold', label_url: undefined } as unknown as Partial<Delivery>
  assert.deepEqual(open(held, true), ['settle', 'cancel'])
  assert.deepEqual(open({ ...held, asked_back: asked('cancel') }, true), ['settle'])
})

test('whatever is closed says why, in every status', () => {
  for (const status of STATUSES) {
    for (const { closed } of actionsOf({ ...booked, status }, { inDoubt: false })) {
      if (closed !== null) assert.match(closed, /^[A-Z].*\.$/)
    }
  }
})
