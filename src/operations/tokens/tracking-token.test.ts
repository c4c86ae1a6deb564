import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../new-id.ts'
import { trackedDelivery, trackingToken } from './tracking-token.ts'

const key = 'a secret key for tests, long enough'
const ids = Array.from({ length: 400 }, () => newId('dlv'))
const tokens = ids.map((id) => trackingToken(key, 'demo', id))

test('a tracking token leads to its delivery, for its account and key only', () => {
  for (const [index, token] of tokens.entries()) {
    assert.match(token, /^[A-Za-z0-9_-]{48}$/)
    assert.equal(trackedDelivery(key, 'demo', token), ids[index])
    assert.equal(trackingToken(key, 'demo', ids[index] as string), token, 'the same whenever it is made')
  }
  const [token = ''] = tokens
  assert.equal(trackedDelivery(key, 'acme-byoc', token), null)
  assert.equal(trackedDelivery(`${key}!`, 'demo', token), null)
})

test('any changed bit invalidates it', () => {
  const bytes = Buffer.from(tokens[0] as string, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    assert.equal(trackedDelivery(key, 'demo', changed.toString('base64url')), null, `bit ${bit}`)
  }
  for (const odd of ['', 'x', 'A'.repeat(48), 'A'.repeat(47), `${tokens[0]}A`, 'A'.repeat(10_000)]) {
    assert.equal(trackedDelivery(key, 'demo', odd), null)
  }
})

test('tokens of consecutive deliveries reveal neither ids nor times', () => {
  assert.equal(new Set(tokens).size, tokens.length)
  // After the account's four bytes every bit is random; 400 samples never deviate by 8 standard deviations.
  const secrets = tokens.map((token) => Buffer.from(token, 'base64url').subarray(4))
  for (let bit = 0; bit < 256; bit++) {
    const ones = secrets.filter((secret) => ((secret[bit >> 3] as number) >> (bit & 7)) & 1).length
    assert.ok(ones > 120 && ones < 280, `bit ${bit}: ${ones} of 400`)
  }
})

test('only our ids get a token', () => {
  for (const id of ['dlv_01', 'man_01kax3v8y2m4s6t8w0z2b4d6f8', `dlv_8${'0'.repeat(25)}`]) {
    assert.throws(() => trackingToken(key, 'demo', id))
  }
})
