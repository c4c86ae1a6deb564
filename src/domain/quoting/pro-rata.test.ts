import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { proRata } from './pro-rata.ts'

test('a share is rounded half up once, exactly', () => {
  const cases = [
    ['0.9 kg at 45 c is 40.5 c', 900, 1000, 45, 41],
    ['just under a half', 899_999_999, 1_000_000_000, 45, 40],
    ['8.5 % of 1000', 1000, 100, 8.5, 85],
    ['8.5 % of 100 is 8.5', 100, 100, 8.5, 9],
    ['a rate of 0.1 three times is 0.3', 3, 1, 0.1, 0],
    ['15 tenths', 15, 1, 0.1, 2],
    ['-5 % of 10 is -0.5, and half up is 0', 10, 100, -5, 0],
    ['-5 % of 30 is -1.5, and half up is -1', 30, 100, -5, -1],
    ['-6 % of 30 is -1.8', 30, 100, -6, -2],
    ['nothing', 0, 1000, 45, 0],
  ] as const
  for (const [name, units, per, rate, expected] of cases)
    assert.equal(proRata(units, per, rate), expected, name)
})

test('numbers too large for floats give the same result', () => {
  const sizes = fc.oneof(fc.integer({ min: -1e4, max: 1e4 }), fc.integer({ min: -1e14, max: 1e14 }))
  const wholes = fc.oneof(fc.constantFrom(1, 100, 1e3, 1e9), fc.integer({ min: 1, max: 1e12 }))
  fc.assert(
    fc.property(sizes, wholes, fc.integer({ min: -1e9, max: 1e9 }), (units, per, millionths) => {
      const dividend = 2n * BigInt(units) * BigInt(millionths) + BigInt(per) * 1_000_000n
      const divisor = 2n * BigInt(per) * 1_000_000n
      const lower = dividend / divisor - (dividend % divisor < 0n ? 1n : 0n)
      assert.equal(proRata(units, per, millionths / 1e6), Number(lower))
    }),
    { numRuns: 2_000 },
  )
})

test('a share lies within half a cent of the true one', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 1e6 }), fc.nat(1e6), (units, per, millionths) => {
      const twice = 2n * BigInt(proRata(units, per, millionths / 1e6)) * BigInt(per) * 1_000_000n
      const true2 = 2n * BigInt(units) * BigInt(millionths)
      const half = BigInt(per) * 1_000_000n
      assert.ok(twice - true2 <= half && true2 - twice < half)
    }),
  )
})
