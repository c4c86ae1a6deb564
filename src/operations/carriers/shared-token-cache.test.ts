import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import pino from 'pino'
import { parse } from 'yaml'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { applyAccount } from '../accounts/apply-account.ts'
import { newId } from '../new-id.ts'
import { makeSealer } from '../secrets/seal.ts'
import { sharedTokenCache } from './shared-token-cache.ts'

const demo = parse(await readFile(new URL('../../../examples/demo-account.yaml', import.meta.url), 'utf8'))
const log = pino({ level: 'silent' })
const SIGN_IN = { token: 'KA.very-secret', renewFromMs: 900, endsMs: 1_000 }

let database: TestDatabase
before(async () => {
  database = await testDatabase()
  await applyAccount({ db: database.pool, newId }, demo, { by: 'test' })
})
/** The cache as each process has it. */
const caches = (key = 'k'.repeat(43)) => sharedTokenCache({ db: database.pool, sealer: makeSealer(key), log })

test('processes share a token, the newest wins, and it is encrypted in the database', async () => {
  const cache = caches()('demo', 'uber_direct', 'id and secret')
  assert.equal(await cache.get(), null)
  await cache.put({ ...SIGN_IN, token: 'KA.older' })
  await cache.put(SIGN_IN)
  assert.deepEqual(await caches()('demo', 'uber_direct', 'id and secret').get(), SIGN_IN)
  const { rows } = await database.pool.query('select * from carrier_tokens')
  assert.equal(rows.length, 1)
  assert.ok(!rows[0].ciphertext.toString('latin1').includes('secret'))
})

test('a token decrypts for the same carrier, credentials and key only', async () => {
  await caches()('demo', 'uber_direct', 'id and secret').put(SIGN_IN)
  assert.equal(await caches()('demo', 'uber_direct', 'id and another secret').get(), null)
  assert.equal(await caches('o'.repeat(43))('demo', 'uber_direct', 'id and secret').get(), null)
  await database.pool.query(`update carrier_tokens set provider = 'aramex_au'`)
  assert.equal(await caches()('demo', 'aramex_au', 'id and secret').get(), null)
})

test('an unavailable database does not count as the carrier’s failure', async () => {
  const decommissioned = { query: () => Promise.reject(new Error('gone')) } as unknown as TestDatabase['pool']
  const cache = sharedTokenCache({ db: decommissioned, sealer: makeSealer('k'.repeat(43)), log })(
    'demo',
    'uber_direct',
    '',
  )
  await cache.put(SIGN_IN)
  assert.equal(await cache.get(), null)
})
