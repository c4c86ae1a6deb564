import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { brokenHill, jobAt, TUESDAY_TEN } from '../../../test/jobs.ts'
import type { Account } from '../account/account.ts'
import { formatLocal } from '../calendar/zone.ts'
import type { DeliveryType } from '../values.ts'
import { checkAvailability } from './availability.ts'
import type { Job } from './job.ts'

const demo = exampleAccount('demo-account')

test('the earliest window of each type, on a Tuesday morning', () => {
  assert.deepEqual(windows(demo, {}), {
    fast: '2026-11-24T10:45 to 2026-11-24T13:45',
    flexible: '2026-11-24T13:00 to 2026-11-24T20:00',
    standard: '2026-11-27T08:00 to 2026-11-27T18:00',
    express: '2026-11-25T08:00 to 2026-11-25T18:00',
  })
})

test('after the cut-offs windows move to the next open day', () => {
  const readyForPickupAtMs = Date.parse('2026-11-24T16:30:00+11:00')
  assert.deepEqual(windows(demo, { readyForPickupAtMs }), {
    fast: '2026-11-24T17:15 to 2026-11-24T20:15',
    flexible: '2026-11-25T13:00 to 2026-11-25T20:00',
    standard: '2026-11-30T08:00 to 2026-11-30T18:00',
    express: '2026-11-26T08:00 to 2026-11-26T18:00',
  })
})

test('availability ignores distance, parcels and price', () => {
  const destination = { ...brokenHill, state: 'VIC' as const, postCode: '3000' }
  assert.deepEqual(windows(demo, { destination, parcels: [] }), windows(demo, {}))
})

test('delivery days depend on the destination’s zone', () => {
  const days = { same_metro: 1, same_state: 2, interstate_capital: 3, rest: 6 }
  const timing = { kind: 'on_day' as const, cutOff: 900, days, from: 480, to: 1080 }
  const account = { ...demo, deliveryTypes: new Map([['standard' as const, timing]]) }
  assert.equal(windows(account, {}).standard, '2026-11-25T08:00 to 2026-11-25T18:00')
  // 08:00 in Broken Hill is half an hour later.
  assert.equal(windows(account, { destination: brokenHill }).standard, '2026-12-02T08:30 to 2026-12-02T18:30')
})

test('a customer pickup uses the store’s local time', () => {
  const back = windows(demo, { destination: brokenHill, mode: 'customer_pickup' })
  assert.equal(back.standard, '2026-11-27T08:00 to 2026-11-27T18:00')
})

test('returns only the requested type', () => {
  assert.deepEqual(Object.keys(windows(demo, { deliveryType: 'express' })), ['express'])
})

test('a store that never opens again offers nothing, with the reason', () => {
  const readyForPickupAtMs = Date.parse('2031-06-01T00:00:00Z')
  const none = checkAvailability(demo, jobAt(demo, { readyForPickupAtMs }), TUESDAY_TEN)
  assert.deepEqual([none.windows, none.earliestPickupMs], [{}, null])
  assert.deepEqual(
    none.exclusions.map(({ deliveryType, rule }) => [deliveryType, rule]),
    [
      ['fast', 'no_pickup'],
      ['flexible', 'no_pickup'],
      ['standard', 'no_pickup'],
      ['express', 'no_pickup'],
    ],
  )
})

test('a type whose pickups are never in time has the reason', () => {
  const late = { kind: 'on_day' as const, cutOff: 60, days: 0, from: 780, to: 1200 }
  const account = { ...demo, deliveryTypes: new Map([['flexible' as const, late]]) }
  const { exclusions } = checkAvailability(account, jobAt(demo), TUESDAY_TEN)
  assert.deepEqual(
    exclusions.map(({ rule }) => rule),
    ['cut_off'],
  )
})

function windows(account: Account, changes: Partial<Job>): Partial<Record<DeliveryType, string>> {
  const job = jobAt(account, changes)
  const local = (ms: number) => formatLocal(job.store.zone, ms).slice(0, 16)
  return Object.fromEntries(
    Object.entries(checkAvailability(account, job, TUESDAY_TEN).windows).map(([type, { fromMs, toMs }]) => [
      type,
      `${local(fromMs)} to ${local(toMs)}`,
    ]),
  )
}
