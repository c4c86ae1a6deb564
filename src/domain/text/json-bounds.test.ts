import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BodyLimit } from '../../http/contract/body-limit.ts'
import { type Excess, findExcess } from './json-bounds.ts'

const ROOM: BodyLimit = { bytes: 1_000_000, values: 100, keys: 10 }
const found = (text: string, limit: Partial<BodyLimit> = {}) =>
  findExcess(Buffer.from(text), { ...ROOM, ...limit })

test('finds values over the endpoint’s limits, also after strings', () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`)}}`
  const cases: [name: string, text: string, Excess | null][] = [
    ['nothing', '', null],
    ['a number', '5', null],
    ['100 values', `[${Array(99).fill(0)}]`, null],
    ['101 values', `[${Array(100).fill(0)}]`, 'values'],
    ['101 values in two lists', `[[${Array(49).fill(0)}],[${Array(50).fill(0)}]]`, 'values'],
    ['10 fields', keys(10), null],
    ['11 fields', keys(11), 'keys'],
    ['11 fields of two objects', `[${keys(5)},${keys(6)}]`, null],
    ['11 fields around a list', keys(11).replace(':1', ':[1,{"a":2}]'), 'keys'],
    ['a long list in an object', `{"a":[${Array(50).fill(0)}]}`, null],
    ['20 deep', '['.repeat(20) + ']'.repeat(20), null],
    ['21 deep', '['.repeat(21) + ']'.repeat(21), 'depth'],
    ['commas in a string', `["${','.repeat(500)}"]`, null],
    ['brackets in a string', `["${'[{'.repeat(50)}"]`, null],
    ['a quote in a string', `["\\"${','.repeat(500)}"]`, null],
    ['a backslash at its end', `["\\\\",${Array(99).fill(0)}]`, 'values'],
    ['a long string of escapes', `["${'\\"'.repeat(400)}${','.repeat(400)}"]`, null],
    ['a long string, and an escape at its end', `["${'x'.repeat(300)}\\"${','.repeat(300)}"]`, null],
    ['a string without an end', `["${','.repeat(500)}`, null],
    ['more ends than beginnings', `]]]${Array(200).fill(0)}`, null],
  ]
  for (const [name, text, excess] of cases) assert.equal(found(text), excess, name)
})

test('counts as many values as JSON.parse creates', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), fc.nat(3), (value, spaces) => {
      const text = JSON.stringify(value, null, spaces)
      const count = valuesIn(value)
      assert.equal(found(text, { values: count, keys: 1_000 }), null)
      if (count > 1) assert.equal(found(text, { values: count - 1, keys: 1_000 }), 'values')
    }),
  )
})

/** An empty list or object counts as if it held one. */
function valuesIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1
  const inner = Object.values(value)
  return (
    1 +
    Math.max(
      1,
      inner.reduce((sum: number, one) => sum + valuesIn(one), 0),
    )
  )
}
