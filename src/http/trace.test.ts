import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceOf } from './trace.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'

test('a trace is continued with a span of our own', () => {
  const trace = traceOf(`00-${ID}-00f067aa0ba902b7-01`)
  assert.equal(trace?.traceId, ID)
  assert.match(trace?.traceparent ?? '', new RegExp(`^00-${ID}-[0-9a-f]{16}-01$`))
  assert.ok(!trace?.traceparent.includes('00f067aa0ba902b7'))
})

test('what is no trace is not continued', () => {
  const cases = [
    undefined,
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID.toUpperCase()}-00f067aa0ba902b7-01`,
    `ff-${ID}-00f067aa0ba902b7-01`,
    `00-${ID}-00f067aa0ba902b7-01\r\nx: y`,
    [`00-${ID}-00f067aa0ba902b7-01`],
  ]
  for (const header of cases) assert.equal(traceOf(header), null, String(header))
})
