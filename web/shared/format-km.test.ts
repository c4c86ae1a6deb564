import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatKm } from './format-km.ts'

test('a distance is rounded by the figure that is shown', () => {
  for (const [km, words] of [
    [0, '50 m'],
    [0.61, '600 m'],
    [0.95, '950 m'],
    [0.97, '950 m'],
    [0.98, '1.0 km'],
    [1.94, '1.9 km'],
    [9.94, '9.9 km'],
    [9.96, '10 km'],
    [10.4, '10 km'],
    [119.6, '120 km'],
  ] as const) {
    assert.equal(formatKm(km), words)
  }
})
