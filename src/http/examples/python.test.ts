import assert from 'node:assert/strict'
import test from 'node:test'
import { toPythonSource } from './python.ts'

test('values are Python, and variables are its constants', () => {
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

test('what is too long for a line has a line for each part', () => {
  const long = { reference: 'a'.repeat(60), parcels: [{ weight_kg: 2.5 }] }
  const source = `{\n    "reference": "${'a'.repeat(60)}",\n    "parcels": [{"weight_kg": 2.5}],\n}`
  assert.equal(toPythonSource(long), source)
})
