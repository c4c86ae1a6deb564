import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readForm } from './form-body.ts'

const read = (text: string) => readForm(Buffer.from(text))

test('a parameter without a value counts as not sent', () => {
  assert.deepEqual(read('grant_type=client_credentials&scope=&client_id='), {
    value: { grant_type: 'client_credentials' },
    issues: [],
  })
})

test('a duplicate parameter is reported by name', () => {
  const { issues } = read('scope=quotes&grant_type=a&scope=links')
  assert.deepEqual(
    issues.map(({ field, message }) => [field, message]),
    [['scope', 'scope is sent twice.']],
  )
})

test('names from Object.prototype are ordinary names', () => {
  const { value, issues } = read('__proto__=a&constructor=b&toString=c')
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'toString'])
  assert.deepEqual(issues, [])
})

test('invalid percent-encoding is reported by parameter', () => {
  for (const text of ['note=a%00b', 'note=%ff', 'note=\0']) {
    assert.deepEqual(
      read(text).issues.map(({ field }) => field),
      ['note'],
      text,
    )
  }
})

test('a form with more than a hundred parameters is not read', () => {
  const { value, issues } = read(Array.from({ length: 100_000 }, (_, i) => `p${i}=1`).join('&'))
  assert.equal(Object.keys(value).length, 0)
  assert.equal(issues.length, 1)
})
