import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../new-id.ts'
import { findTokenAccounts } from './account-tag.ts'
import { linkToken } from './link-token.ts'
import { trackingToken } from './tracking-token.ts'

const KEY = 'a secret key for tests, long enough'

test('a token leads to its account among 10,000, and to nearly no other', () => {
  const heads = Array.from({ length: 10_000 }, (_, n) => ({ accountId: `shop-${n}` }))
  let others = 0
  for (const { accountId } of heads) {
    for (const token of [
      trackingToken(KEY, accountId, newId('dlv')),
      linkToken(KEY, accountId, newId('lnk')),
    ]) {
      const found = findTokenAccounts(heads, token)
      assert.ok(found.includes(accountId), accountId)
      others += found.length - 1
    }
  }
  // Of 10,000 tags of 32 bits, two are the same in one of 86 installations.
  assert.ok(others <= 4, `${others}`)
})

test('a text that is not a token leads nowhere', () => {
  const heads = [{ accountId: 'demo' }]
  for (const text of ['', 'x', '../../etc/passwd', '💥', 'a'.repeat(10_000)])
    assert.deepEqual(findTokenAccounts(heads, text), [])
})
