import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { crc32 } from 'node:zlib'
import type { Pool } from 'pg'
import pino from 'pino'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { until } from '../../../test/wait-until.ts'
import { type AccountDirectory, makeAccountDirectory } from '../directory/account-directory.ts'
import { SCOPES } from '../directory/caller.ts'
import { clientUses } from '../directory/client-uses.ts'
import { newId } from '../new-id.ts'
import { checkClientSecret, createApiClient, listApiClients, revokeApiClient } from './api-clients.ts'
import { applyAccount, exportAccount } from './apply-account.ts'
import { ensureDemoAccounts } from './demo-accounts.ts'

let database: TestDatabase
let deps: { db: TestDatabase['pool']; newId: typeof newId; accounts: AccountDirectory }
before(async () => {
  database = await testDatabase()
  deps = {
    db: database.pool,
    newId,
    accounts: makeAccountDirectory({ db: database.pool, log: pino({ level: 'silent' }) }),
  }
  await ensureDemoAccounts(deps)
})

const everything = { name: 'Web shop', scopes: SCOPES, storeReferences: null, owner: null }
const check = async (id: string, secret: string, account = 'demo') =>
  checkClientSecret({ live: false }, (await deps.accounts.find(account))!, id, secret)

test('a client authenticates with its secret, of which only a hash is stored', async () => {
  const { clientId, clientSecret } = await createApiClient(deps, 'demo', {
    name: 'Web shop',
    scopes: ['quotes', 'deliveries:read'],
    storeReferences: ['fitzroy'],
    owner: null,
  })
  const client = await check(clientId, clientSecret)
  assert.deepEqual([...client!.scopes], ['deliveries:read', 'quotes'])
  assert.deepEqual([...client!.storeReferences!], ['fitzroy'])
  const [, secret, checksum] = /^(drs_[\w-]{43})([\da-f]{8})$/.exec(clientSecret) ?? []
  assert.equal(Number(`0x${checksum}`), crc32(secret ?? ''))
  const { rows } = await database.pool.query('select t::text from api_clients t')
  assert.ok(!JSON.stringify(rows).includes(clientSecret))
})

test('a wrong secret, client or account is rejected', async () => {
  const { clientId, clientSecret } = await createApiClient(deps, 'demo', everything)
  assert.equal(await check(clientId, `${clientSecret}x`), null)
  assert.equal(await check('demo-client', clientSecret), null)
  assert.equal(await check('nobody', clientSecret), null)
  assert.equal(await check(clientId, clientSecret, 'acme-byoc'), null)
})

test('a revoked client stops working at once and cannot be revoked twice', async () => {
  const { clientId, clientSecret } = await createApiClient(deps, 'demo', everything)
  await revokeApiClient(deps, 'demo', clientId)
  assert.equal(await check(clientId, clientSecret), null)
  assert.ok(!(await listApiClients(deps, 'demo')).some((client) => client.clientId === clientId))
  await assert.rejects(revokeApiClient(deps, 'demo', clientId), { code: 'not_found' })
})

test('invalid scopes of a client are all reported at once', async () => {
  const asked = {
    name: ' ',
    scopes: ['quote', 'deliveries:write'],
    storeReferences: ['fitzory'],
    owner: null,
  }
  await assert.rejects(
    createApiClient(deps, 'demo', asked),
    (error: { issues: { field: string; message: string }[] }) => {
      assert.deepEqual(
        error.issues.map(({ field }) => field),
        ['name', 'scopes[0]', 'store_references[0]'],
      )
      assert.match(error.issues[1]!.message, /Did you mean "quotes"\?/)
      assert.match(error.issues[2]!.message, /Did you mean "fitzroy"\?/)
      return true
    },
  )
})

test('the demo accounts get their well-known clients once', async () => {
  await ensureDemoAccounts(deps)
  assert.ok(await check('demo-client', 'demo-secret'))
  assert.ok(await check('acme-client', 'acme-secret', 'acme-byoc'))
  assert.equal((await deps.accounts.find('demo'))!.account.version, 1)
  assert.equal((await deps.accounts.find('acme-byoc'))!.account.version, 1)
})

test('a live account rejects the demo secret', async () => {
  const { document } = await exportAccount(deps, 'demo')
  await applyAccount(deps, { ...document, mode: 'live' }, { by: 'test' })
  assert.equal(await check('demo-client', 'demo-secret'), null)
  await applyAccount(deps, document, { by: 'test' })
})

const silent = pino({ level: 'silent' })

test('each process stores a client’s last use once a minute, without reloading the account', async () => {
  const { clientId } = await createApiClient(deps, 'demo', everything)
  const entry = await deps.accounts.find('demo')
  const lastUsed = async () =>
    (await listApiClients(deps, 'demo')).find((client) => client.clientId === clientId)!.lastUsedAtMs
  assert.equal(await lastUsed(), null)

  let nowMs = 0
  let written = 0
  const db: Pool = Object.assign(Object.create(database.pool), {
    query: async (...given: Parameters<Pool['query']>) => {
      const answer = await database.pool.query(...given)
      written++
      return answer
    },
  })
  const uses = clientUses({ db, log: silent, nowMs: () => nowMs })
  const use = () => {
    for (let i = 0; i < 100; i++) uses.note('demo', clientId)
  }
  use()
  await until(() => written === 1, 'it is written')
  const first = await lastUsed()
  assert.ok(first !== null)
  nowMs = 59_999
  use()
  await uses.flush()
  assert.deepEqual([written, await lastUsed()], [1, first])
  nowMs = 60_000
  use()
  await uses.flush()
  assert.equal(written, 2)
  assert.ok((await lastUsed())! > first)

  await deps.accounts.refresh()
  assert.equal(await deps.accounts.find('demo'), entry)
})

test('an unavailable database delays no request, and at most one statement of a process waits for it', async () => {
  let asked = 0
  let answer = (_: Error): void => {}
  const db = {
    query: () => {
      asked++
      return new Promise((_, reject) => {
        answer = reject
      })
    },
  } as unknown as Pool
  const uses = clientUses({ db, log: silent })
  uses.note('demo', 'one')
  const first = uses.flush()
  uses.note('demo', 'two')
  const second = uses.flush()
  assert.equal(asked, 1)
  answer(new Error('Connection terminated'))
  await first
  await until(() => asked === 2, 'the next one waits')
  uses.stop()
  uses.note('demo', 'three')
  answer(new Error('Connection terminated'))
  await second
  await uses.flush()
  assert.equal(asked, 2)
})
