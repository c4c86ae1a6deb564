import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SamplerName, samplerOf } from './sampler.ts'

const LOW = `${'f'.repeat(18)}${'0'.repeat(13)}1`
const MIDDLE = `${'0'.repeat(18)}80000000000000`
const HIGH = `${'0'.repeat(18)}${'f'.repeat(14)}`
const parent = (sampled: boolean) => ({ traceId: LOW, spanId: 'b'.repeat(16), sampled })

test('each sampler decides by its name, with and without a caller’s decision', () => {
  const cases: [SamplerName, root: boolean, underYes: boolean, underNo: boolean][] = [
    ['always_on', true, true, true],
    ['always_off', false, false, false],
    ['traceidratio', true, true, true],
    ['parentbased_always_on', true, true, false],
    ['parentbased_always_off', false, true, false],
    ['parentbased_traceidratio', true, true, false],
  ]
  for (const [name, ...expected] of cases) {
    const sampler = samplerOf(name, 0.5)
    const got = [sampler(LOW, null), sampler(LOW, parent(true)), sampler(LOW, parent(false))]
    assert.deepEqual(got, expected, name)
  }
})

test('a ratio samples the same traces in every process', () => {
  for (const [ratio, low, middle, high] of [
    [0, false, false, false],
    [0.5, true, false, false],
    [0.500001, true, true, false],
    [1, true, true, true],
  ] as const) {
    const sampler = samplerOf('traceidratio', ratio)
    const got = [LOW, MIDDLE, HIGH].map((traceId) => sampler(traceId, null))
    assert.deepEqual(got, [low, middle, high], `${ratio}`)
  }
})
