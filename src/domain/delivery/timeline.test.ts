import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryEvent } from './delivery.ts'
import type { Status } from './status.ts'
import { asTimeline, withArrivals } from './timeline.ts'

test('events without a status change are sorted by time between steps in their order', () => {
  const events = [
    event('delivery.booked', 10, 'booked'),
    event('delivery.status_changed', 30, 'assigned'),
    event('delivery.carrier_update', 20),
    event('delivery.status_changed', 50, 'collected'),
    event('delivery.exception', 40),
    event('delivery.carrier_update', 60),
  ]
  assert.deepEqual(
    asTimeline(events).map(({ atMs }) => atMs),
    [10, 20, 30, 40, 50, 60],
  )
})

test('a late step comes before newer events without a status change', () => {
  const events = [
    event('delivery.booked', 10, 'booked'),
    event('delivery.status_changed', 30),
    event('delivery.exception', 30),
    event('delivery.status_changed', 20, 'collected'),
    event('delivery.status_changed', 40, 'delivered'),
  ]
  assert.deepEqual(
    asTimeline(events).map(({ type, to }) => to ?? type),
    ['booked', 'collected', 'delivery.status_changed', 'delivery.exception', 'delivered'],
  )
})

test('a late step comes before the events that follow from it', () => {
  const events = [
    event('delivery.booked', 40, 'booked'),
    event('delivery.status_changed', 25, 'assigned'),
    event('delivery.exception', 25),
  ]
  assert.deepEqual(asTimeline(events), events)
})

test('an event has its arrival time, and repeats are marked', () => {
  const message = (event: DeliveryEvent, detail: string) => ({ ...event, detail })
  const events = [
    event('delivery.booked', 10, 'booked'),
    // One update that skipped a step, and is also an exception.
    message(event('delivery.status_changed', 20, 'assigned'), 'late van'),
    message(event('delivery.status_changed', 20, 'collected'), 'late van'),
    message(event('delivery.exception', 20), 'late van'),
    message(event('delivery.carrier_update', 20), 'late van'),
    message(event('delivery.exception', 20), 'late van'),
    message(event('delivery.carrier_update', 20), 'other words'),
    message({ ...event('delivery.status_changed', 20, 'delivered'), source: 'driver' }, 'late van'),
  ]
  const updates = [
    { eventId: 'one', atMs: 20, arrivedAtMs: 50, status: null, subStatus: null, message: 'late van' },
    { eventId: 'two', atMs: 20, arrivedAtMs: 90, status: null, subStatus: null, message: 'late van' },
  ]
  assert.deepEqual(
    withArrivals(events, updates).map(
      ({ arrivedAtMs, isRepeat }) => `${arrivedAtMs}${isRepeat ? ' again' : ''}`,
    ),
    ['null', '50', '50', '50', '90 again', '90 again', 'null', 'null'],
  )
})

function event(type: string, atMs: number, to: Status | null = null): DeliveryEvent {
  const nothing = { from: null, subStatus: null, consignmentNumber: null, detail: null, changes: null }
  return { id: `evt_${atMs}`, type, atMs, source: 'carrier', to, ...nothing }
}
