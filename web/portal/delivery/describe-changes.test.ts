import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeChanges } from './describe-changes.ts'

test('an amended field shows its new and its old value', () => {
  const changes = [
    { field: 'ready_for_pickup_at', from: '2026-11-24T14:30:00+11:00', to: '2026-11-25T09:00:00+11:00' },
    { field: 'customer.phone', from: '+61491570156', to: '+61491570157' },
    { field: 'address.address2', from: null, to: 'Unit 4' },
    { field: 'parcels', from: [{ reference: 'P1' }], to: [] },
  ]
  assert.equal(
    describeChanges(changes),
    'ready time from Tue 24 Nov 2:30 pm to Wed 25 Nov 9 am; phone from 0491 570 156 to 0491 570 157; unit from none to Unit 4; parcels',
  )
  assert.equal(describeChanges([]), '')
  const cleared = { field: 'special_instructions', from: 'Ring twice.', to: '' }
  assert.equal(describeChanges([cleared]), 'instructions from “Ring twice.” to none')
})
