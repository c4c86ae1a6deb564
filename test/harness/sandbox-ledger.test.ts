import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookedOnce, findActive } from './bookings.ts'
import { sandboxEntries } from './sandbox-ledger.ts'

const booked = {
  ...{ reference: 'A', carrier: 'swiftly', operation: 'book', outcome: 'booked' },
  consignment_number: 'S1',
}
const cancelled = { ...booked, operation: 'cancel', outcome: 'cancelled' }

test('a booking after a cancelled one is not a double booking; a booking beside an active one is', () => {
  const second = { ...booked, carrier: 'big_haul', consignment_number: 'B1' }
  const moved = sandboxEntries([booked, cancelled, second])
  assert.deepEqual(namesOf(moved), ['B1'])
  assert.deepEqual(bookedOnce({ ledgerEntries: moved }).wrong, [])
  const doubled = sandboxEntries([booked, second, cancelled])
  assert.deepEqual(namesOf(doubled), ['B1'])
  assert.deepEqual(bookedOnce({ ledgerEntries: doubled }).wrong, [
    'big_haul B1 (A) was booked while swiftly S1 (A) was active',
  ])
})

test('a rejected booking and a refused cancellation change nothing', () => {
  const entries = [{ ...booked, outcome: 'rejected' }, booked, { ...cancelled, outcome: 'refused' }]
  assert.deepEqual(namesOf(sandboxEntries(entries)), ['S1'])
})

function namesOf(entries: ReturnType<typeof sandboxEntries>): string[] {
  return findActive(entries).map(({ id }) => id)
}
