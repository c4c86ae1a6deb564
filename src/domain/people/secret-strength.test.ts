import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { secretStrength } from './secret-strength.ts'

test('random secrets are strong, however they are written', () => {
  for (let n = 0; n < 200; n++) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const { bits } = secretStrength(randomSecret(n, 32).toString(encoding))
      assert.ok(bits >= 160, `${bits} bits in ${encoding}`)
    }
    assert.ok(secretStrength(randomSecret(n, 12).toString('hex')).bits >= 64)
  }
})

test('long secrets that are not random are weak', () => {
  const weak = [
    'k'.repeat(43),
    'abcdefghij'.repeat(5),
    'abcdefghijklmnopqrstuvwxyz0123456789',
    '0123456789abcdef0123456789abcdef',
    'qwertyuiopasdfghjklzxcvbnm1234567890',
    'change-me-change-me-change-me-change-me',
    'DroverProductionSecretKeyDroverProduction',
    'drover-operator-token-live-1234567890',
    'password123password123password123password',
    '1111111111222222222233333333334444444444',
  ]
  for (const secret of weak) {
    const { bits, why } = secretStrength(secret)
    assert.ok(bits < 64, `${secret}: ${bits} bits`)
    assert.ok(why.length > 0, secret)
  }
})

/**
 * The same secrets in every run: of truly random ones, 1 in 12,500 of 12 bytes happens to repeat itself so often
 * that it counts under 64 bits.
 */
function randomSecret(seed: number, bytes: number): Buffer {
  return createHash('sha256').update(`secret ${seed}`).digest().subarray(0, bytes)
}
