import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryEvent } from './delivery.ts'
import { asTimeline } from './timeline.ts'

test('news that came too late stands at its own time, among steps that keep their order', () => {
  const told = [
    event('delivery.booked', 10),
    event('delivery.status_changed', 30),
    event('delivery.carrier_news', 20),
    event('delivery.status_changed', 50),
    event('delivery.carrier_news', 40),
    event('delivery.carrier_news', 60),
  ]
  assert.deepEqual(
    asTimeline(told).map(({ atMs }) => atMs),
    [10, 20, 30, 40, 50, 60],
  )
})

test('a step that we learnt of late is told before what follows from it', () => {
  const told = [event('delivery.booked', 40), event('delivery.status_changed', 25)]
  assert.deepEqual(asTimeline(told), told)
})

function event(type: string, atMs: number): DeliveryEvent {
  const nothing = { from: null, to: null, subStatus: null, consignmentNumber: null, detail: null }
  return { id: `evt_${atMs}`, type, atMs, source: 'carrier', ...nothing }
}
