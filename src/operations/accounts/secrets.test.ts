import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { insertWebhookEndpoint, replaceWebhookSecret } from '../../store/webhooks/webhook-endpoints.ts'
import { listEndpointsSealedOtherwise } from '../../store/webhooks/webhook-secrets.ts'
import { newId } from '../new-id.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import { makeSealer } from '../secrets/seal.ts'
import { openAnswer, sealAnswer } from '../secrets/sealed-answers.ts'
import { newWebhookSecret, webhookHeaders } from '../webhooks/webhook-secret.ts'
import { applyAccount } from './apply-account.ts'
import { listSecrets, resealAll, resealSecrets, setSecret } from './secrets.ts'

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
    `update secrets as mine set nonce = other.nonce, ciphertext = other.ciphertext
     from secrets as other where mine.account_id = 'demo' and other.account_id = 'demo'
       and other.name = case mine.name when 'one' then 'two' else 'one' end and mine.name in ('one', 'two')`,
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

const [OLD, NEW] = ['o'.repeat(43), 'n'.repeat(43)]
const DAY_MS = 86_400_000

test('after a key rotation everything is re-encrypted, and still signs and decrypts', async (t) => {
  const { pool: db } = await testDatabase(t)
  await applyAccount({ db, newId }, demo, { by: 'test' })
  const old = makeSealer(OLD)
  await setSecret({ db, sealer: old }, 'demo', { name: 'key', secret: 'carrier secret' })
  const place = { accountId: 'demo', endpointId: 'whk_1' }
  const [first, second] = [newWebhookSecret(old, place), newWebhookSecret(old, place)]
  const endpoint = {
    accountId: 'demo',
    id: 'whk_1',
    url: 'https://example.com',
    eventTypes: null,
    storeIds: null,
  }
  await insertWebhookEndpoint(db, { ...endpoint, secret: first.sealed, nowMs: 0 }, 10)
  await replaceWebhookSecret(db, 'demo', 'whk_1', second.sealed, { nowMs: 0, graceMs: DAY_MS })

  const turning = makeSealer(NEW, [OLD])
  assert.deepEqual(await resealAll({ db, sealer: turning }), {
    secrets: 1,
    answers: 0,
    webhooks: 1,
    factors: 0,
  })
  assert.deepEqual(await resealAll({ db, sealer: turning }), {
    secrets: 0,
    answers: 0,
    webhooks: 0,
    factors: 0,
  })

  const fresh = makeSealer(NEW)
  assert.equal((await openSecrets({ db, sealer: fresh }, 'demo')).secrets.get('key'), 'carrier secret')
  const [sealed] = await listEndpointsSealedOtherwise(db, 'another key')
  assert.ok(sealed?.old)
  const message = { id: 'evt_1', body: '{}', wallMs: 0 }
  const signed = (sealer: typeof old, secrets: Parameters<typeof webhookHeaders>[1]['secrets']) =>
    webhookHeaders(sealer, { ...place, secrets }, message)['webhook-signature']
  assert.equal(signed(fresh, [sealed.secret, sealed.old]), signed(old, [second.sealed, first.sealed]))
})

test('stored responses with secrets survive a key rotation', async (t) => {
  const { pool: db } = await testDatabase(t)
  await applyAccount({ db, newId }, demo, { by: 'test' })
  const sealed = sealAnswer(makeSealer(OLD), 'demo', 'z', 'shown once')
  await db.query(
    `insert into idempotency_keys (account_id, key, fingerprint, status, body, locked_until)
     select 'demo', 'k' || n, ''::bytea, 201, 'in clear', now() from generate_series(1, 1000) n
     union all select 'demo', 'z', ''::bytea, 201, $1, now()`,
    [sealed],
  )
  const turning = makeSealer(NEW, [OLD])
  assert.deepEqual(await resealAll({ db, sealer: turning }), {
    secrets: 0,
    answers: 1,
    webhooks: 0,
    factors: 0,
  })
  assert.deepEqual(await resealAll({ db, sealer: turning }), {
    secrets: 0,
    answers: 0,
    webhooks: 0,
    factors: 0,
  })
  const { rows } = await db.query<{ key: string; body: string }>('select key, body from idempotency_keys')
  for (const { key, body } of rows) {
    const shown = openAnswer(makeSealer(NEW), 'demo', key, body)
    assert.equal(shown, key === 'z' ? 'shown once' : 'in clear')
  }
})

test('without its key a secret stays unchanged and is named', async (t) => {
  const { pool: db } = await testDatabase(t)
  await applyAccount({ db, newId }, demo, { by: 'test' })
  await setSecret({ db, sealer: makeSealer(OLD) }, 'demo', { name: 'key', secret: 'carrier secret' })
  const stranger = { db, sealer: makeSealer(NEW) }
  await assert.rejects(resealAll(stranger), /sealed with key/)
  assert.deepEqual((await openSecrets(stranger, 'demo')).unreadable, ['key'])
  assert.equal(
    (await openSecrets({ db, sealer: makeSealer(OLD) }, 'demo')).secrets.get('key'),
    'carrier secret',
  )
})
