import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSpanId, newTraceId, readTraceparent, writeTraceparent } from './current.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'

test('a traceparent is read as it was written, sampled or not', () => {
  for (const flags of ['00', '01']) {
    const header = `00-${ID}-00f067aa0ba902b7-${flags}`
    const context = readTraceparent(header)
    assert.deepEqual(context, { traceId: ID, spanId: '00f067aa0ba902b7', sampled: flags === '01' })
    assert.equal(writeTraceparent(context), header)
  }
})

test('flags of later versions of the standard are ignored', () => {
  assert.equal(readTraceparent(`00-${ID}-00f067aa0ba902b7-03`)?.sampled, true)
  assert.equal(readTraceparent(`00-${ID}-00f067aa0ba902b7-02`)?.sampled, false)
})

test('our own ids are valid', () => {
  const made = writeTraceparent({ traceId: newTraceId(), spanId: newSpanId(), sampled: true })
  assert.ok(readTraceparent(made), made)
})

test('an invalid traceparent is not continued', () => {
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
  for (const header of cases) assert.equal(readTraceparent(header), null, String(header))
})
