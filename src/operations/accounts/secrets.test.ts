import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { newId } from '../new-id.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import { makeSealer } from '../secrets/seal.ts'
import { applyAccount } from './apply-account.ts'
import { listSecrets, resealSecrets, setSecret } from './secrets.ts'

const KEY = 'k'.repeat(43)
const demo = parse(await readFile(new URL('../../../examples/demo-account.yaml', import.meta.url), 'utf8'))

let database: TestDatabase
before(async () => {
  database = await testDatabase()
  await applyAccount({ db: database.pool, newId }, demo, { by: 'test' })
})
/** The secret of a name, null if there is no such name, and undefined if no key decrypts it. */
async function secretOf(given: ReturnType<typeof deps>, name: string) {
  const { secrets, unreadable } = await openSecrets(given, 'demo')
  return unreadable.includes(name) ? undefined : (secrets.get(name) ?? null)
}

const deps = (...keys: [string, ...string[]]) => ({
  db: database.pool,
  sealer: makeSealer(keys[0], keys.slice(1)),
})

test('a secret is stored sealed, listed by name, and read back', async () => {
  await setSecret(deps(KEY), 'demo', { name: 'swiftly-api-key', secret: 'sk_live_ünique' })
  assert.equal(await secretOf(deps(KEY), 'swiftly-api-key'), 'sk_live_ünique')
  assert.deepEqual(
    (await listSecrets(deps(KEY), 'demo')).map(({ name }) => name),
    ['swiftly-api-key'],
  )
  const { rows } = await database.pool.query('select * from secrets')
  assert.ok(!JSON.stringify(rows.map((row) => row.ciphertext.toString('latin1'))).includes('sk_live'))
  assert.equal(await secretOf(deps(KEY), 'absent'), null)
})

test('an encrypted secret does not decrypt in another row', async () => {
  await setSecret(deps(KEY), 'demo', { name: 'one', secret: 'first' })
  await setSecret(deps(KEY), 'demo', { name: 'two', secret: 'second' })
  await database.pool.query(
    `update secrets set nonce = other.nonce, ciphertext = other.ciphertext
     from secrets as other where other.name = case secrets.name when 'one' then 'two' else 'one' end
       and secrets.name in ('one', 'two')`,
  )
  assert.equal(await secretOf(deps(KEY), 'one'), undefined)
  assert.equal(await secretOf(deps(KEY), 'two'), undefined)
  await database.pool.query(`delete from secrets where name in ('one', 'two')`)
})

test('the old key decrypts until everything is re-encrypted', async () => {
  const next = 'n'.repeat(43)
  await setSecret(deps(KEY), 'demo', { name: 'turning', secret: 'kept' })
  assert.equal(await secretOf(deps(next), 'turning'), undefined)
  assert.equal(await secretOf(deps(next, KEY), 'turning'), 'kept')
  assert.ok((await resealSecrets(deps(next, KEY), 'demo')) >= 1)
  assert.equal(await secretOf(deps(next), 'turning'), 'kept')
  assert.equal(await resealSecrets(deps(next, KEY), 'demo'), 0)
})

test('a secret needs a valid name, an account and a value', async () => {
  const cases = [
    ['demo', { name: 'With Blanks', secret: 'x' }, 'invalid_request'],
    ['demo', { name: 'empty', secret: '' }, 'invalid_request'],
    ['nobody', { name: 'key', secret: 'x' }, 'not_found'],
  ] as const
  for (const [account, given, code] of cases)
    await assert.rejects(setSecret(deps(KEY), account, given), { code })
})
