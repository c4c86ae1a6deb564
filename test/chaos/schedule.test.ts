import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHAOS_MIX, makeJobs } from './jobs.ts'
import { chaosSchedule, type ScheduledFault, withRebalances } from './schedule.ts'

const SEED = 20_261_124

test('the same seed makes the same faults and jobs, another seed makes others', () => {
  assert.deepEqual(first(chaosSchedule(SEED), 500), first(chaosSchedule(SEED), 500))
  assert.notDeepEqual(first(chaosSchedule(SEED), 50), first(chaosSchedule(SEED + 1), 50))
  assert.deepEqual(first(makeJobs(CHAOS_MIX, SEED, 4), 500), first(makeJobs(CHAOS_MIX, SEED, 4), 500))
})

test('a long schedule has every kind of fault, every network fault and every crash', () => {
  const acts = first(chaosSchedule(SEED), 4_000).map(({ act }) => act)
  const kinds = new Set(acts.map(({ kind }) => kind))
  assert.deepEqual([...kinds].sort(), ['carrier', 'clock', 'crash', 'cut', 'disk', 'freeze', 'kill', 'wire'])
  const faults = new Set(acts.flatMap((act) => (act.kind === 'wire' ? act.fault.kind : [])))
  assert.deepEqual([...faults].sort(), ['black_hole', 'delay', 'drip', 'garbage'])
  const crashes = new Set(acts.flatMap((act) => (act.kind === 'crash' ? act.crash : [])))
  assert.deepEqual([...crashes].sort(), ['backend', 'immediate', 'kill'])
})

test('a custom pause does not change the faults', () => {
  const slow = first(chaosSchedule(SEED, 20_000), 50)
  assert.ok(slow.every(({ pauseMs }) => pauseMs === 20_000))
  const acts = (schedule: Iterable<ScheduledFault>) => first(schedule, 50).map(({ act }) => act)
  assert.deepEqual(acts(slow), acts(chaosSchedule(SEED)))
})

test('on Citus, shards move after every eight faults, which stay the same', () => {
  const acts = first(withRebalances(chaosSchedule(SEED)), 90).map(({ act }) => act)
  const moves = acts.flatMap(({ kind }, at) => (kind === 'rebalance' ? [at] : []))
  assert.deepEqual(moves, [8, 17, 26, 35, 44, 53, 62, 71, 80, 89])
  const usual = first(chaosSchedule(SEED), 80).map(({ act }) => act)
  assert.deepEqual(
    acts.filter(({ kind }) => kind !== 'rebalance'),
    usual,
  )
})

test('only connections to carriers return garbage', () => {
  for (const { act } of first(chaosSchedule(SEED), 4_000)) {
    if (act.kind === 'wire' && act.fault.kind === 'garbage') assert.equal(act.wire.to, 'carrier')
  }
})

function first<T>(many: Iterable<T>, count: number): T[] {
  const taken: T[] = []
  for (const one of many) {
    if (taken.push(one) === count) break
  }
  return taken
}
