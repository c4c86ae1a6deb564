import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { admissionQueue } from './admission-queue.ts'

/**
 * Simulates arrivals at a queue that completes `perTick` requests per 10 ms tick; returns how many requests each tick
 * admitted.
 */
function play(comers: readonly number[], perTick: number, line = admissionQueue()) {
  let length = 0
  let nowMs = 0
  const letIn: number[] = []
  const lengths: number[] = []
  for (const come of comers) {
    nowMs += 10
    let entered = 0
    for (let one = 0; one < come; one++) {
      if (length + entered >= MAX_LENGTH || line.shouldShed(nowMs)) continue
      line.enter(nowMs)
      entered += 1
    }
    length += entered
    lengths.push(length)
    for (let done = Math.min(perTick, length); done > 0; done--, length--) line.leave(nowMs)
    letIn.push(entered)
  }
  return { letIn, lengths }
}

/** The load shedder admits no request beyond this queue length. */
const MAX_LENGTH = 512

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
const ticks = (count: number, each: number) => Array<number>(count).fill(each)

const lettingAllIn: readonly [string, readonly number[], perTick: number][] = [
  ['500 at once, from idle', [500, ...ticks(100, 0)], 16],
  ['500 at once in the middle of ordinary load', [...ticks(50, 8), 500, ...ticks(100, 8)], 20],
  ['twice what is done, for a quarter of a second', [...ticks(25, 32), ...ticks(100, 0)], 16],
  ['exactly what is done, for ten seconds', ticks(1_000, 16), 16],
  ['64 callers who come again when they are answered', [64, ...ticks(500, 5)], 5],
]
for (const [what, comers, perTick] of lettingAllIn) {
  test(`${what}: no request is shed`, () => {
    assert.equal(sum(play(comers, perTick).letIn), sum(comers))
  })
}

test('at four times the capacity the queue stays short and accepts what it can complete', () => {
  for (const perTick of [4, 16, 40, 100]) {
    const { letIn, lengths } = play(ticks(600, 4 * perTick), perTick)
    const standing = lengths.slice(400)
    assert.ok(
      Math.max(...standing) <= Math.max(128, 5 * perTick),
      `${perTick} a tick: ${Math.max(...standing)}`,
    )
    assert.ok(sum(letIn.slice(400)) >= 0.99 * 200 * perTick, `${perTick} a tick: ${sum(letIn.slice(400))}`)
  }
})

test('a second without shedding allows a burst again', () => {
  const overload = ticks(300, 64)
  const again = [...overload, ...ticks(120, 4), 500]
  assert.equal(play(again, 16).letIn.at(-1), 500)
  assert.ok((play([...overload, ...ticks(20, 0), 500], 16).letIn.at(-1) as number) < 500, 'too soon')
})

test('a queue shorter than one batch never sheds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(300), { maxLength: 300 }),
      fc.integer({ min: 1, max: 100 }),
      (comers, perTick) => {
        const line = admissionQueue()
        play(comers, perTick, line)
        const { lengths } = play(comers, perTick)
        const left = Math.max(0, (lengths.at(-1) ?? 0) - perTick)
        if (left < 128) assert.equal(line.shouldShed(10 * comers.length), false)
      },
    ),
  )
})

test('a queue that is short only right after a batch is still too long', () => {
  const line = admissionQueue()
  const enter = (nowMs: number) => {
    for (let one = 0; one < 256; one++) line.enter(nowMs)
  }
  enter(0)
  enter(0)
  for (let nowMs = 100; nowMs <= 1_000; nowMs += 100) {
    for (let one = 0; one < 256; one++) line.leave(nowMs)
    enter(nowMs)
  }
  assert.equal(line.shouldShed(1_000), true)
})

test('requests behind the queue count as queued', () => {
  let behind = 300
  const line = admissionQueue(() => behind)
  for (let nowMs = 0; nowMs <= 1_000; nowMs += 100) line.enter(nowMs)
  assert.equal(line.shouldShed(1_000), true)
  behind = 50
  assert.equal(line.shouldShed(1_000), false)
})

/** The queue's limit while little is completed. */
const LEAST = 128

/** A queue with so many requests at time 0. */
function queueOf(count: number) {
  const queue = admissionQueue()
  for (let one = 0; one < count; one++) queue.enter(0)
  return queue
}

test('a queue that becomes too long sheds after its patience, and is steady again after a calm second', () => {
  const queue = queueOf(LEAST)
  assert.equal(queue.state(0), 'steady', 'it is at the limit, not beyond')
  queue.enter(0)
  assert.equal(queue.state(0), 'too_long')
  for (let nowMs = 250; nowMs < 1_000; nowMs += 250) {
    queue.enter(nowMs)
    assert.equal(queue.shouldShed(nowMs), false)
    assert.equal(queue.state(nowMs), 'too_long')
  }
  assert.equal(queue.shouldShed(999), false)
  assert.equal(queue.shouldShed(1_000), true)
  assert.equal(queue.state(1_000), 'shedding')

  for (let one = 0; one < 10; one++) queue.leave(1_000)
  assert.equal(queue.shouldShed(1_500), false, 'it is below the limit')
  assert.equal(queue.state(1_999), 'shedding', 'a burst would still be shed')
  assert.equal(queue.state(2_000), 'steady')
})

test('a queue that is too long for a moment is steady again, and its patience starts afresh', () => {
  const queue = queueOf(LEAST + 1)
  queue.leave(0)
  assert.equal(queue.state(300), 'too_long')
  assert.equal(queue.state(301), 'steady')
  queue.enter(1_500)
  assert.equal(queue.state(1_500), 'too_long')
  assert.equal(queue.shouldShed(1_500), false)
})

test('a queue that was longer than the limit while it shed is too long after the calm second', () => {
  let behind = 200
  const queue = admissionQueue(() => behind)
  for (const nowMs of [0, 250, 500, 750, 1_000]) queue.enter(nowMs)
  assert.equal(queue.shouldShed(1_000), true)
  queue.enter(1_900)
  behind = 0
  assert.equal(queue.state(2_000), 'too_long')
  assert.equal(queue.state(2_201), 'steady')
})
