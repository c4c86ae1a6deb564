import assert from 'node:assert/strict'
import test from 'node:test'
import { toPythonSource } from './python.ts'

test('a value becomes Python, and a variable becomes a constant', () => {
  const cases: [unknown, string][] = [
    [{ a: true, b: null, c: [1, 2.5] }, '{"a": True, "b": None, "c": [1, 2.5]}'],
    ['$DELIVERY_ID', 'DELIVERY_ID'],
    ['ORDER-$RUN {x} "y"', 'f"ORDER-{RUN} {{x}} \\"y\\""'],
    ['it’s\n', '"it’s\\n"'],
    [{}, '{}'],
    [[], '[]'],
  ]
  for (const [value, source] of cases) assert.equal(toPythonSource(value), source)
})

test('a value that is too long for one line has a line for each part', () => {
  const long = { reference: 'a'.repeat(60), parcels: [{ weight_kg: 2.5 }] }
  const source = `{\n    "reference": "${'a'.repeat(60)}",\n    "parcels": [{"weight_kg": 2.5}],\n}`
  assert.equal(toPythonSource(long), source)
})
