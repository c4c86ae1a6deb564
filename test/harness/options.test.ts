import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCount, toDatabase, toNameOf, toNumber, toSeed } from './options.ts'

test('a run takes the seed that it was given, and otherwise makes one', () => {
  assert.equal(toSeed('7'), 7)
  assert.ok(Number.isSafeInteger(toSeed(undefined)))
})

test('a wrong option is rejected with its name, the rule and the value', () => {
  assert.throws(() => toCount('jobs', '2.5'), /^Error: --jobs must be a whole number, not 2\.5\.$/)
  assert.throws(() => toCount('jobs', '0'), /--jobs must be a number of at least 1, not "0"\./)
  assert.throws(() => toNumber('minutes', 'soon'), /--minutes must be a number of at least 0, not "soon"\./)
  assert.throws(() => toNumber('minutes', ''), /--minutes/)
  assert.throws(
    () => toNameOf(['no_intent', 'no_fence'], 'seeded bug', 'no_idea'),
    /There is no seeded bug no_idea\. Choose one of no_intent, no_fence\./,
  )
  assert.equal(toNameOf(['no_intent', 'no_fence'], 'seeded bug', 'no_fence'), 'no_fence')
})

test('the database is an embedded one, a Citus cluster, or on a given server of this machine', () => {
  const url = 'postgres://postgres@127.0.0.1:5601/postgres'
  assert.deepEqual(toDatabase('embedded', url), { kind: 'embedded' })
  assert.deepEqual(toDatabase('citus'), { kind: 'citus' })
  assert.deepEqual(toDatabase('given', url), { kind: 'given', url })
  const rule = /^Error: --database=given needs a DATABASE_URL of a server on 127\.0\.0\.1\.$/
  assert.throws(() => toDatabase('given', 'postgres://postgres@10.0.0.10/postgres'), rule)
  assert.throws(() => toDatabase('given', ''), rule)
  assert.throws(
    () => toDatabase('mine', url),
    /There is no database mine\. Choose one of embedded, citus, given\./,
  )
})
