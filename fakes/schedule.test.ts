import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { startClock } from './clock.ts'
import { startSchedule } from './schedule.ts'

test('due tasks run once, in order of time and then of scheduling', () => {
  const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 })
  const strides = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 10 })
  fc.assert(
    fc.property(times, strides, (dues, steps) => {
      const clock = startClock({ nowMs: 0 })
      const schedule = startSchedule(clock)
      const seen: [number, number][] = []
      for (const [asked, due] of dues.entries()) schedule.at(due, (dueMs) => seen.push([dueMs, asked]))
      for (const step of steps) {
        clock.advance(step)
        schedule.catchUp()
        assert.ok(seen.every(([due]) => due <= clock.nowMs()))
      }
      const due = dues.map((at, asked) => [at, asked] as const).filter(([at]) => at <= clock.nowMs())
      // A schedule that never caught up has run nothing.
      assert.deepEqual(
        seen,
        steps.length === 0 ? [] : due.toSorted(([a, first], [b, second]) => a - b || first - second),
      )
      schedule.close()
    }),
  )
})

test('tasks that become due while others run also run', () => {
  const clock = startClock({ nowMs: 0 })
  const schedule = startSchedule(clock)
  const seen: number[] = []
  const every = (dueMs: number) => {
    seen.push(dueMs)
    schedule.at(dueMs + 20, every)
  }
  schedule.at(10, every)
  clock.advance(60)
  schedule.catchUp()
  assert.deepEqual(seen, [10, 30, 50])
  schedule.close()
})

test('a clock can be set fixed or running', async () => {
  const fixed = startClock({ nowMs: 1_000 })
  const running = startClock({ fromMs: 1_000 })
  running.advance(500)
  assert.ok(running.nowMs() >= 1_500)
  while (running.nowMs() <= 1_500) await sleep(1)
  assert.equal(fixed.nowMs(), 1_000)
})
