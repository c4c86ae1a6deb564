import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaySandboxLedger } from './sandbox-ledger.ts'

const booked = {
  reference: 'A',
  carrier: 'swiftly',
  operation: 'book',
  outcome: 'booked',
  consignment_number: 'S1',
}
const cancelled = { ...booked, operation: 'cancel', outcome: 'cancelled' }

test('a booking after a cancelled one is not a double booking; a booking beside an active one is', () => {
  const second = { ...booked, carrier: 'big_haul', consignment_number: 'B1' }
  const moved = replaySandboxLedger([booked, cancelled, second])
  assert.deepEqual([...(moved.active.get('A') ?? [])], ['B1'])
  assert.equal(moved.doubled.size, 0)
  const { active, doubled } = replaySandboxLedger([booked, second, cancelled])
  assert.deepEqual([...(active.get('A') ?? [])], ['B1'])
  assert.deepEqual([...doubled], [['A', 'big_haul']])
})

test('a rejected booking and a refused cancellation change nothing', () => {
  const { active } = replaySandboxLedger([
    { ...booked, outcome: 'rejected' },
    booked,
    { ...cancelled, outcome: 'refused' },
  ])
  assert.deepEqual([...(active.get('A') ?? [])], ['S1'])
})
