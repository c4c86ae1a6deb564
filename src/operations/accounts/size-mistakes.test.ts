import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findExcess } from '../../domain/text/json-bounds.ts'
import { listSizeMistakes, MAX_DOCUMENT, toJsonInSteps } from './size-mistakes.ts'

function allOf(document: unknown) {
  const steps = toJsonInSteps(document)
  for (let count = 1; ; count++) {
    const { done, value } = steps.next()
    if (done) return { result: value, count }
  }
}

function written(document: unknown) {
  const { result, count } = allOf(document)
  return { ...result, count }
}

test('a document written in steps equals JSON.stringify’s text, and has as many values as a PUT counts', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (document) => {
      const { json, values = 0 } = written(document)
      assert.equal(json?.toString(), JSON.stringify(document))
      if (findExcess(json as Buffer, { values: 1_000_000 }) === 'depth') return
      assert.equal(findExcess(json as Buffer, { values }), null)
      // A text of no list and no object has one value, and no limit is lower.
      if (values > 1) assert.equal(findExcess(json as Buffer, { values: values - 1 }), 'values')
    }),
  )
  const odd = { none: undefined, list: [undefined, { none: undefined, at: new Date(0) }], at: new Date(0) }
  assert.equal(written(odd).json?.toString(), JSON.stringify(odd))
})

test('each store and each carrier is a step', () => {
  const { count } = written({ stores: Array(1_000).fill({}), carriers: Array(200).fill({}) })
  assert.ok(count > 1_200, `${count} steps`)
})

test('a document that contains itself, or is too large, is rejected with the remedy', () => {
  const own: Record<string, unknown> = {}
  own.stores = [own]
  const refusals = (document: unknown) => listSizeMistakes(allOf(document).result).map(({ wrong }) => wrong)
  assert.deepEqual(refusals(own), ['a part of the document contains itself'])
  assert.deepEqual(refusals({ stores: Array(MAX_DOCUMENT.values - 2).fill(0) }), [])
  assert.deepEqual(refusals({ stores: Array(MAX_DOCUMENT.values).fill(0) }), [
    'the document has over 500,000 values',
  ])
  assert.deepEqual(refusals({ name: 'x'.repeat(MAX_DOCUMENT.bytes) }), [
    'the document is 6.0 MiB, and the limit is 6 MiB',
  ])
})
