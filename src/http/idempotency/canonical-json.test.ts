import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { fingerprint } from './idempotency.ts'

const URL = '/demo/deliveries'

test('the fingerprint of a caller with all stores is unchanged, so that older keys still match', () => {
  const stored = createHash('sha256').update('POST\n/demo/deliveries\n{"a":1,"b":[true,null]}').digest()
  assert.deepEqual(fingerprint('POST', URL, { b: [true, null], a: 1 }), stored)
})

test('the fingerprint of a caller with some stores differs, whatever their order', () => {
  const of = (...storeIds: string[]) => fingerprint('POST', URL, {}, storeIds).toString('hex')
  const all = fingerprint('POST', URL, {}).toString('hex')
  assert.equal(new Set([all, of(), of('sto_1'), of('sto_2'), of('sto_1', 'sto_2')]).size, 5)
  assert.equal(of('sto_2', 'sto_1'), of('sto_1', 'sto_2'))
})
