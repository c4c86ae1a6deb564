import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordedRequest } from '../harness/client.ts'
import { findBreaches } from '../harness/promises.ts'
import { type SandboxEntry, sandboxEntries } from '../harness/sandbox-ledger.ts'
import { assertEachIsCaught, createdBy, type Violation } from '../harness/violations.ts'
import { killJobs } from './jobs.ts'
import { type FoundDelivery, type KillEvidence, PROMISES, type PromiseName } from './promises.ts'

const [job] = killJobs(7, 1, 1_000)
const reference = job?.reference ?? ''
const created = createdBy('demo', reference, 'dlv_1')
const cancelled: RecordedRequest = { ...created, operation: 'cancel', status: 200 }
const delivery: FoundDelivery = {
  ...{ id: 'dlv_1', reference, status: 'booked', provider: 'swiftly', consignment_number: 'S1' },
  special_instructions: `${job?.body.special_instructions}`,
}
const booking = {
  reference,
  carrier: 'swiftly',
  operation: 'book',
  outcome: 'booked',
  consignment_number: 'S1',
}
const ledgerOf = (...entries: SandboxEntry[]) => ({ ledgerEntries: sandboxEntries(entries, [delivery]) })

const CANCELLED = { operation: 'cancel', outcome: 'cancelled' }

/** A run of one delivery without a fault. */
const GOOD: KillEvidence = {
  jobs: job ? [job] : [],
  history: [created],
  wrong: [],
  endedByThemselves: [],
  deliveries: [delivery],
  ...ledgerOf(booking),
  steps: [
    { deliveryId: 'dlv_1', status: 'created', previous: null },
    { deliveryId: 'dlv_1', status: 'requested', previous: 'created' },
  ],
}

const VIOLATIONS: readonly Violation<PromiseName, KillEvidence>[] = [
  ['an acknowledged delivery is gone', 'acknowledged and kept', { deliveries: [] }],
  [
    'a delivery is changed',
    'acknowledged and kept',
    { deliveries: [{ ...delivery, special_instructions: 'x' }] },
  ],
  ['a cancellation did nothing', 'acknowledged and kept', { history: [created, cancelled] }],
  [
    'two bookings at once',
    'booked once',
    ledgerOf(
      booking,
      { ...booking, carrier: 'big_haul', consignment_number: 'S2' },
      { ...booking, ...CANCELLED },
    ),
  ],
  [
    'a booking that is missing in our record',
    'no orphaned booking',
    ledgerOf(booking, { ...booking, consignment_number: 'S2' }),
  ],
  ['a booking that no carrier has', 'no orphaned booking', ledgerOf()],
  [
    'a booking of a cancelled delivery',
    'no orphaned booking',
    { deliveries: [{ ...delivery, status: 'cancelled' }] },
  ],
  [
    'a delivery that waits for ever',
    'every delivery ends',
    { deliveries: [{ ...delivery, status: 'requested' }] },
  ],
  [
    'a dead-lettered delivery',
    'every delivery ends',
    { deliveries: [{ ...delivery, deadLetterReason: 'killed eight workers' }] },
  ],
  ['a step that the table lacks', 'legal timelines', { steps: GOOD.steps.slice(1) }],
  ['a 500', 'answers as declared', { wrong: ['GET / returned 500'] }],
  [
    'a create that was rejected',
    'answers as declared',
    { history: [{ ...created, outcome: 'rejected', status: 422 }] },
  ],
  ['a process that ended', 'answers as declared', { endedByThemselves: ['api ended with 1'] }],
]

test('a correct run breaks no promise, even if a cancellation came too late', () => {
  assert.deepEqual(findBreaches(PROMISES, GOOD), [])
  const late: RecordedRequest = { ...cancelled, outcome: 'rejected', status: 409 }
  assert.deepEqual(findBreaches(PROMISES, { ...GOOD, history: [created, late] }), [])
})

test('each fault breaks its own promise, and every promise has a fault that breaks it', () => {
  assertEachIsCaught(PROMISES, GOOD, VIOLATIONS)
})
