import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { collectedAtMs, type Journey, progress } from './progress.ts'
import { SCENARIOS, type Scenario } from './scenario.ts'

const MINUTE_MS = 60_000
const journey: Journey = {
  by: 'courier',
  scenario: 'ordinary',
  bookedAtMs: 0,
  readyAtMs: 60 * MINUTE_MS,
  window: { fromMs: 120 * MINUTE_MS, toMs: 180 * MINUTE_MS },
}

function minutes(of: Journey) {
  return progress(of).map(({ step, atMs }) => [step, atMs / MINUTE_MS])
}

test('a courier arrives 30 minutes early and delivers in the middle of the window', () => {
  assert.deepEqual(minutes(journey), [
    ['assigned', 30],
    ['approaching', 50],
    ['collected', 60],
    ['out_for_delivery', 105],
    ['delivered', 150],
  ])
})

test('a network collects on a run and its van leaves when the window opens', () => {
  assert.deepEqual(minutes({ ...journey, by: 'network' }), [
    ['collected', 60],
    ['in_transit', 82.5],
    ['out_for_delivery', 120],
    ['delivered', 150],
  ])
})

test('a delivery booked after its window starts at once', () => {
  assert.deepEqual(minutes({ ...journey, bookedAtMs: 200 * MINUTE_MS }), [
    ['assigned', 201],
    ['approaching', 202],
    ['collected', 203],
    ['out_for_delivery', 205],
    ['delivered', 207],
  ])
})

const anyJourney: fc.Arbitrary<Journey> = fc
  .record({
    by: fc.constantFrom('courier' as const, 'network' as const),
    scenario: fc.constantFrom<Scenario>('ordinary', ...SCENARIOS),
    bookedAtMs: fc.nat(1e10),
    readyAtMs: fc.nat(1e10),
    leadMs: fc.nat(1e9),
    lengthMs: fc.nat(1e9),
  })
  .map(({ leadMs, lengthMs, ...rest }) => {
    const fromMs = rest.readyAtMs + leadMs
    return { ...rest, window: { fromMs, toMs: fromMs + lengthMs } }
  })

test('events come after the booking and never share a time', () => {
  fc.assert(
    fc.property(anyJourney, (any) => {
      const events = progress({
        ...any,
        scenario: any.scenario === 'duplicate-events' ? 'ordinary' : any.scenario,
      })
      const times = events.map(({ atMs }) => atMs).sort((a, b) => a - b)
      assert.ok(times[0]! > any.bookedAtMs)
      for (const [index, atMs] of times.slice(1).entries()) assert.ok(atMs > times[index]!)
    }),
  )
})

test('no event is reported before it happened, and events are sorted by report time', () => {
  fc.assert(
    fc.property(anyJourney, (any) => {
      const events = progress(any)
      for (const { atMs, reportedAtMs } of events) assert.ok(reportedAtMs >= atMs)
      for (const [index, { reportedAtMs }] of events.slice(1).entries())
        assert.ok(reportedAtMs >= events[index]!.reportedAtMs)
    }),
  )
})

test('a delivery collected in time arrives within its window', () => {
  fc.assert(
    fc.property(anyJourney, (any) => {
      fc.pre(any.scenario === 'ordinary' && collectedAtMs(any) + 4 * MINUTE_MS <= any.window.fromMs)
      const atMs = progress(any).at(-1)!.atMs
      assert.ok(atMs >= any.window.fromMs && atMs <= any.window.toMs)
    }),
  )
})
