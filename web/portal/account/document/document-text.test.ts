import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsAt, lineOf, readText, toText } from './document-text.ts'

const text = `tenant_id: demo
stores:
  - reference: perth
    hours:
      sat: 09:00-17:00
  - reference: hobart
`

test('an error is placed on the line of its field, or of the parent of a missing field', () => {
  for (const [field, line] of [
    ['tenant_id', 1],
    ['stores[0].hours.sat', 5],
    ['stores[1].reference', 6],
    ['stores[1].hours.sun', 6],
    ['nothing', 1],
  ] as const) {
    assert.equal(lineOf(text, field), line, field)
  }
})

test('the parents of a position are listed from the outside in', () => {
  assert.deepEqual(fieldsAt(text, text.indexOf('09:00')), ['stores', 'hours', 'sat'])
  assert.deepEqual(fieldsAt(text, text.indexOf('hobart')), ['stores', 'reference'])
})

test('text is read back as it was written, and invalid YAML is reported with its line', () => {
  const document = { tenant_id: 'demo', stores: [{ reference: 'perth', hours: { sat: ['09:00-17:00'] } }] }
  assert.deepEqual(readText(toText(document)), { document })
  assert.deepEqual(
    (readText('a: 1\nb: [1') as { mistakes: { line: number }[] }).mistakes.map(({ line }) => line),
    [2],
  )
  assert.ok('mistakes' in readText('just words'))
})
