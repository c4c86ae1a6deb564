import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SCOPES } from '../directory/caller.ts'
import { makeToken, readToken, TOKEN_SECONDS } from '../tokens/access-token.ts'
import { checkSignedPath, type SignedPathState, sign, signPath } from './sign.ts'

const KEY = 'a secret key for tests, long enough'
const PATH = '/demo/deliveries/dlv_1/label'
const NOW_MS = Date.UTC(2026, 10, 24)

function queryOf(path: string, expMs: number): { exp: string; sig: string } {
  const query = new URLSearchParams(signPath(KEY, path, expMs))
  return { exp: query.get('exp') ?? '', sig: query.get('sig') ?? '' }
}

test('a signed URL opens its own path until it expires, and nothing else', () => {
  const { exp, sig } = queryOf(PATH, NOW_MS + 60_000)
  assert.equal(checkSignedPath(KEY, PATH, { exp, sig }, NOW_MS), 'valid')
  const cases: [name: string, path: string, exp: string, sig: string, nowMs: number, key?: string][] = [
    ['changed and expired', '/demo/deliveries/dlv_2/label', exp, sig, NOW_MS + 60_000],
    ['another delivery', '/demo/deliveries/dlv_2/label', exp, sig, NOW_MS],
    ['another account', '/acme/deliveries/dlv_1/label', exp, sig, NOW_MS],
    ['a stretched time', PATH, String(Number(exp) + 1), sig, NOW_MS],
    ['a time that is not a number', PATH, `${exp}.0`, sig, NOW_MS],
    ['no signature', PATH, exp, '', NOW_MS],
    ['another key', PATH, exp, sig, NOW_MS, 'another key, just as long as it'],
  ]
  for (const [name, path, time, signature, nowMs, key = KEY] of cases) {
    assert.equal(checkSignedPath(key, path, { exp: time, sig: signature }, nowMs), 'invalid', name)
  }
  const moments: [nowMs: number, state: SignedPathState][] = [
    [NOW_MS + 59_999, 'valid'],
    [NOW_MS + 60_000, 'expired'],
  ]
  for (const [nowMs, state] of moments) assert.equal(checkSignedPath(KEY, PATH, { exp, sig }, nowMs), state)
})

test('a signature with one changed character is rejected', () => {
  const { exp, sig } = queryOf(PATH, NOW_MS + 60_000)
  for (let i = 0; i < sig.length; i++) {
    const changed = sig.slice(0, i) + (sig[i] === 'A' ? 'B' : 'A') + sig.slice(i + 1)
    assert.equal(checkSignedPath(KEY, PATH, { exp, sig: changed }, NOW_MS), 'invalid', `character ${i}`)
  }
})

test('a signature is valid for one purpose', () => {
  assert.notEqual(sign(KEY, 'access-token', 'x'), sign(KEY, 'document-url', 'x'))
})

test('a token holds its claims, and any change invalidates it', () => {
  const claims = {
    accountId: 'demo',
    clientId: 'demo-client',
    scopes: SCOPES.slice(0, 2),
    expiresAtMs: NOW_MS + TOKEN_SECONDS * 1000,
  }
  const token = makeToken(KEY, claims)
  assert.deepEqual(readToken(KEY, token), claims)
  assert.equal(readToken('another key', token), null)
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.constantFrom('A', 'b', '7', '.', '_', ' ', '\0'),
      (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1)
        if (changed !== token) assert.equal(readToken(KEY, changed), null)
      },
    ),
  )
  fc.assert(fc.property(fc.string(), (text) => readToken(KEY, text) === null))
})
