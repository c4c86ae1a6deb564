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
  const of = (...stores: string[]) => fingerprint('POST', URL, {}, stores).toString('hex')
  const all = fingerprint('POST', URL, {}).toString('hex')
  assert.equal(new Set([all, of(), of('fitzroy'), of('sydney-cbd'), of('fitzroy', 'sydney-cbd')]).size, 5)
  assert.equal(of('sydney-cbd', 'fitzroy'), of('fitzroy', 'sydney-cbd'))
})
