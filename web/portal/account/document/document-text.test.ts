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

test('a field is found on its line, one that is missing on the line of what should hold it', () => {
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

test('the fields that hold a place are named from the outside in', () => {
  assert.deepEqual(fieldsAt(text, text.indexOf('09:00')), ['stores', 'hours', 'sat'])
  assert.deepEqual(fieldsAt(text, text.indexOf('hobart')), ['stores', 'reference'])
})

test('text is read back as it was written, and what is no YAML is said with its line', () => {
  const document = { tenant_id: 'demo', stores: [{ reference: 'perth', hours: { sat: ['09:00-17:00'] } }] }
  assert.deepEqual(readText(toText(document)), { document })
  assert.equal((readText('a: 1\nb: [1') as { line: number }).line, 2)
  assert.ok('mistake' in readText('just words'))
})
