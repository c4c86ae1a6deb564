import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import { testDatabase } from '../../../test/database.ts'
import { insertWebhookEndpoint, replaceWebhookSecret } from '../../store/webhooks/webhook-endpoints.ts'
import { listEndpointsSealedOtherwise } from '../../store/webhooks/webhook-secrets.ts'
import { newId } from '../new-id.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import { makeSealer } from '../secrets/seal.ts'
import { openAnswer, sealAnswer } from '../secrets/sealed-answers.ts'
import { newWebhookSecret, webhookHeaders } from '../webhooks/webhook-secret.ts'
import { applyAccount } from './apply-account.ts'
import { resealAll } from './reseal.ts'
import { setSecret } from './secrets.ts'

const [OLD, NEW] = ['o'.repeat(43), 'n'.repeat(43)]
const demo = parse(await readFile(new URL('../../../examples/demo-account.yaml', import.meta.url), 'utf8'))
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
