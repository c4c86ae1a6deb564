import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from './scopes.ts'
import { emailKey, passwordMistake, ROLE_SCOPES } from './user.ts'

const email = 'nora.lee@shop.example'

test('a password is long and not a common one', () => {
  const common = [
    'correct horse',
    'x9-y8-z7-w',
    'überlänge!',
    '🐑🐎🐄🐖🐓🐕🐈🐇🐁🐝',
    'nora.lee likes dogs',
    `${'a'.repeat(99)}bcd`,
  ]
  for (const password of common) assert.equal(passwordMistake(password, email), null, password)
  const refused: [password: string, message: RegExp][] = [
    ['short', /at least 10/],
    ['🐑🐎🐄🐖🐓', /at least 10/],
    ['abcd'.repeat(51), /at most 200/],
    ['aaaaaaaaaaaa', /too easy to guess/],
    ['ababababababab', /too easy to guess/],
    ['Password123', /too easy to guess/],
    ['QWERTYUIOP', /too easy to guess/],
    ['1q2w3e4r5t', /too easy to guess/],
    ['Password1234', /too easy to guess/],
    ['NoraLee2026', /may not be the email address/],
    ['nora-lee-1999', /may not be the email address/],
  ]
  for (const [password, message] of refused)
    assert.match(passwordMistake(password, email) ?? '', message, password)
})

test('an email address is one user in any spelling', () => {
  for (const written of ['Nora@Shop.Example', ' nora@shop.example ', 'NORA@SHOP.EXAMPLE']) {
    assert.equal(emailKey(written), 'nora@shop.example')
  }
  assert.equal(emailKey('ne\u0301e@x.example'), emailKey('NÉE@x.example'))
})

test('only admins manage users, clients and webhooks, or read drivers’ codes', () => {
  assert.deepEqual(
    SCOPES.filter((scope) => !ROLE_SCOPES.store_clerk.includes(scope)),
    ['webhooks', 'account', 'driver_codes:read'],
  )
  assert.deepEqual([...ROLE_SCOPES.merchant_admin], [...SCOPES])
})
