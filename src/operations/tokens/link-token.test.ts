import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '../new-id.ts'
import { TAG_BYTES } from './account-tag.ts'
import { linkToken } from './link-token.ts'

const KEY = 'a secret key for tests, long enough'
const ISSUED = 100_000
const GUESSES = 1_000_000
const SECRET_BYTES = 20

test('link secrets are uniform over 100,000 links, and a million guesses hit none', () => {
  const secrets = Array.from({ length: ISSUED }, () => {
    const token = Buffer.from(linkToken(KEY, 'demo', newId('lnk')), 'base64url')
    return token.subarray(TAG_BYTES)
  })
  const issued = new Set(secrets.map((secret) => secret.toString('latin1')))
  assert.equal(issued.size, ISSUED)

  const ones = new Array<number>(SECRET_BYTES * 8).fill(0)
  for (const secret of secrets) {
    assert.equal(secret.length, SECRET_BYTES)
    for (let bit = 0; bit < ones.length; bit++) {
      ones[bit] = (ones[bit] as number) + (((secret[bit >> 3] as number) >> (bit & 7)) & 1)
    }
  }
  // Six standard deviations: fails by chance in one run of three million.
  for (const [bit, count] of ones.entries()) {
    assert.ok(Math.abs(count - ISSUED / 2) < 6 * Math.sqrt(ISSUED / 4), `bit ${bit}: ${count} of ${ISSUED}`)
  }

  const guesses = randomBytes(GUESSES * SECRET_BYTES).toString('latin1')
  for (let at = 0; at < guesses.length; at += SECRET_BYTES) {
    assert.ok(!issued.has(guesses.slice(at, at + SECRET_BYTES)), 'a guess has hit')
  }
})
