import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { emptyDatabase, type TestDatabase, testDatabase } from '../../../test/database.ts'
import { runProgram } from '../../../test/program.ts'
import { runningService } from '../../../test/running-service.ts'
import { applyAccount } from '../../operations/accounts/apply-account.ts'
import { newId } from '../../operations/new-id.ts'
import type { Finding } from '../deps.ts'

const DEMO = new URL('../../../examples/demo-account.yaml', import.meta.url)
const GOOD_KEY = 'Zm9yIHRlc3RzIG9ubHksIGxvbmcgZW5vdWdoLi4u'

type DoctorRun = { code: number; findings: readonly Finding[]; of(check: string): Finding | undefined }

/** Runs the doctor as people do, in its own home; `env` overrides the environment. */
async function doctor(home: string, env: Record<string, string> = {}): Promise<DoctorRun> {
  const own = { DROVER_HOME: home, DROVER_SECRET_KEY: GOOD_KEY, PORT: '0' }
  const { code, out } = await runProgram(['doctor', '--json'], {
    env: { DATABASE_URL: undefined, ...own, ...env },
  })
  const { wrong, findings } = JSON.parse(out) as { wrong: number; findings: Finding[] }
  assert.equal(wrong, findings.filter(({ found }) => found === 'wrong').length)
  assert.equal(code, wrong > 0 ? 1 : 0)
  for (const { found, remedy } of findings)
    assert.ok(found !== 'wrong' || remedy, 'what is wrong has a remedy')
  return { code, findings, of: (check) => findings.find((finding) => finding.check === check) }
}

async function newHome(t: TestContext): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'drover-doctor-'))
  t.after(() => rm(home, { recursive: true, force: true }))
  return home
}

test('the doctor finds no problem on a machine that has never run Drover', async (t) => {
  const { code, of } = await doctor(join(await newHome(t), 'none-yet'), { DROVER_SECRET_KEY: '' })
  assert.equal(code, 0)
  assert.deepEqual(
    ['home', 'secret key', 'database'].map((check) => of(check)?.found),
    ['note', 'note', 'note'],
  )
})

test('the doctor reports every mistake in the environment', async (t) => {
  const env = { PORT: 'many', LOG_LEVEL: 'loud', DROVER_LIVE: '1' }
  const { findings } = await doctor(await newHome(t), env)
  assert.deepEqual(
    findings.map(({ check, message }) => `${check}: ${message.split(' ')[0]}`),
    [
      'environment: PORT',
      'environment: LOG_LEVEL',
      'environment: DROVER_OPERATOR_TOKEN',
      'environment: PUBLIC_URL',
    ],
  )
})

test('the doctor calls a missing secret key missing in live mode', async (t) => {
  const { findings } = await doctor(await newHome(t), { DROVER_LIVE: '1', DROVER_SECRET_KEY: '' })
  const message = findings.map((finding) => finding.message).join('\n')
  assert.match(message, /DROVER_SECRET_KEY must be set in live mode/)
  assert.doesNotMatch(message, /easy to guess/)
})

test('the doctor reports keys and tokens that are easy to guess or readable by others', async (t) => {
  const home = await newHome(t)
  const file = join(home, 'secret_key')
  await writeFile(file, `${GOOD_KEY}\n`)
  await chmod(file, 0o644)
  const environment = { DROVER_SECRET_KEY: '' }
  assert.match((await doctor(home, environment)).of('secret key')?.remedy ?? '', /^chmod 600/)
  await chmod(file, 0o600)
  assert.equal((await doctor(home, environment)).of('secret key')?.found, 'good')
  assert.match(
    (await doctor(home, { DROVER_SECRET_KEY: 'k'.repeat(43) })).of('secret key')?.message ?? '',
    /guess/,
  )
  const short = await doctor(home, { DROVER_OPERATOR_TOKEN: 'short' })
  assert.equal(short.of('operator token')?.found, 'wrong')
  assert.equal(short.of('home')?.found, 'good', 'its database lives there')
})

test('the doctor reports a port in use, with the process that uses it', async (t) => {
  const home = await newHome(t)
  const wrongKey = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => wrongKey.once('listening', resolve))
  t.after(() => wrongKey.close())
  const { port } = wrongKey.address() as { port: number }
  const { of } = await doctor(home, { PORT: String(port) })
  assert.equal(of('port')?.found, 'wrong')
  if (process.platform === 'linux')
    assert.match(of('port')?.message ?? '', new RegExp(`process ${process.pid}`))
})

test('the doctor reports a database that is unreachable, empty or behind', async (t) => {
  const home = await newHome(t)
  const away = await doctor(home, { DATABASE_URL: 'postgres://drover:x@127.0.0.1:9/drover' })
  assert.match(away.of('database')?.message ?? '', /ECONNREFUSED/)
  assert.match(away.of('database')?.remedy ?? '', /No PostgreSQL listens/)
  assert.equal(away.of('home'), undefined, 'nothing is written when database and key are set')
  const { url } = await emptyDatabase()
  const empty = await doctor(home, { DATABASE_URL: url })
  assert.equal(empty.of('schema')?.remedy, 'drover migrate')
})

test('each reason why a database cannot be used has its own remedy', async (t) => {
  const home = await newHome(t)
  const { url } = await emptyDatabase()
  const changed = (parts: { pathname?: string; hostname?: string; password?: string }) =>
    Object.assign(new URL(url), parts).href
  const withoutRights = await emptyDatabase()
  await withoutRights.pool.query('revoke create on schema public from public, pg_database_owner')
  const cases: [databaseUrl: string, remedy: RegExp][] = [
    [changed({ pathname: '/not_there' }), /create database/],
    [changed({ hostname: 'no-such-host.invalid' }), /host/],
    [changed({ password: 'wrong' }), /password/],
    [withoutRights.url, /owner to drover|alter schema/],
  ]
  for (const [databaseUrl, remedy] of cases) {
    const { findings } = await doctor(home, { DATABASE_URL: databaseUrl })
    assert.match(findings.map((finding) => finding.remedy).join(), remedy)
    const { code, err } = await runProgram(['migrate'], {
      env: { DATABASE_URL: databaseUrl, DROVER_HOME: home, DROVER_SECRET_KEY: GOOD_KEY },
    })
    assert.equal(code, 2)
    assert.match(err, remedy)
  }
})

test('the doctor and the carrier check report stored secrets that the key cannot decrypt', async (t) => {
  const home = await newHome(t)
  const { pool: db, url } = await testDatabase(t)
  const demo = parse(await readFile(DEMO, 'utf8'), { merge: true })
  const auspost = {
    ...demo.carriers[1],
    ...{ provider: 'auspost', adapter: 'auspost', name: 'Australia Post' },
    credentials: { api_key: { secret: 'key' }, password: { secret: 'password' } },
    settings: { account_number: '0000123456' },
  }
  await applyAccount({ db, newId }, { ...demo, carriers: [auspost] }, { by: 'test' })
  const first = { DATABASE_URL: url, DROVER_SECRET_KEY: GOOD_KEY }
  for (const name of ['key', 'password'])
    await runProgram(['secret', 'set', name, '--account', 'demo'], { env: first, input: 'fake' })
  assert.equal((await doctor(home, first)).of('stored secrets')?.found, 'good')
  const wrongKey = { DATABASE_URL: url, DROVER_SECRET_KEY: 'bm90IHRoZSBzYW1lIGtleSBhdCBhbGwsIGJ1dCBsb25n' }
  const finding = (await doctor(home, wrongKey)).of('stored secrets')
  assert.equal(finding?.found, 'wrong')
  assert.match(finding?.message ?? '', /cannot decrypt 2 carriers' secrets \(demo\/key, demo\/password\)/)
  assert.match(finding?.remedy ?? '', /DROVER_OLD_SECRET_KEYS/)
  const { code, out } = await runProgram(['carrier', 'check', 'auspost', '--account', 'demo'], {
    env: wrongKey,
  })
  assert.equal(code, 1)
  assert.match(out, /was encrypted with another secret key/)
  const both = { ...wrongKey, DROVER_OLD_SECRET_KEYS: GOOD_KEY }
  assert.equal((await doctor(home, both)).of('stored secrets')?.found, 'good')
})

test('the doctor notes names in a live account that are too long for a label', async (t) => {
  const home = await newHome(t)
  const { pool: db, url } = await testDatabase(t)
  await applyAccount({ db, newId }, parse(await readFile(DEMO, 'utf8'), { merge: true }), { by: 'test' })
  await db.query(
    `update account_versions set document = jsonb_set(document::jsonb, '{brands,0,name}', to_jsonb(repeat('W', 200)))`,
  )
  const { findings } = await doctor(home, { DATABASE_URL: url })
  const ofAccount = findings.filter(({ check }) => check === 'account demo')
  assert.deepEqual(ofAccount.slice(-1), [
    {
      check: 'account demo',
      found: 'note',
      message: 'brands[0].name is too long to print on a label; at most about 68 letters like these fit.',
      remedy: 'shorten it, and apply the document',
    },
  ])
})

test('the doctor and the carrier check report the channel that a live account’s couriers lack', async (t) => {
  const home = await newHome(t)
  const { pool: db, url } = await testDatabase(t)
  const demo = parse(await readFile(DEMO, 'utf8'), { merge: true })
  const courierDocument = {
    ...demo.carriers[1],
    ...{
      provider: 'jims',
      adapter: 'local_courier',
      name: "Jim's",
      settings: { email: 'jim@couriers.example' },
    },
  }
  await applyAccount({ db, newId }, { ...demo, mode: 'live', carriers: [courierDocument] }, { by: 'test' })
  const findMessage = async (env: Record<string, string> = {}) => {
    const { findings } = await doctor(home, { DATABASE_URL: url, ...env })
    return findings.flatMap(({ check, message }) => (check === 'account demo' ? message : [])).join('\n')
  }
  assert.match(await findMessage(), /Jim's receives bookings by email, and no mail server is set/)
  assert.match(await findMessage(), /Staff couriers cannot log in .* no SMS gateway is set/)
  const channels = { SMTP_URL: 'smtp://127.0.0.1:9', SMS_URL: 'http://127.0.0.1:9/' }
  assert.match(await findMessage(channels), /^Version 1/)
  const env = { DATABASE_URL: url, DROVER_SECRET_KEY: GOOD_KEY, DROVER_HOME: home }
  const check = await runProgram(['carrier', 'check'], { env })
  assert.equal(check.code, 1)
  assert.match(check.out, /jims +wrong +Jim's receives bookings by email.* Set SMTP_URL/)
  assert.match(check.out, /staff_couriers +wrong +Staff couriers cannot log in/)
})

test('the doctor finds a running service healthy, except a test server without fsync', async (t) => {
  const home = await newHome(t)
  const { url, databaseUrl } = await runningService(t)
  const { of, findings } = await doctor(home, { DATABASE_URL: databaseUrl, PORT: new URL(url).port })
  assert.match(of('port')?.message ?? '', /^Drover answers/)
  assert.equal(of('account demo')?.found, 'good')
  assert.equal(of('work')?.found, 'good')
  assert.equal(of('schema')?.found, 'good')
  const wrongs = findings.flatMap(({ check, found }) => (found === 'wrong' ? check : []))
  assert.deepEqual(
    wrongs.filter((check) => check !== 'fsync' && check !== 'database role'),
    [],
  )
})

test('the doctor reports unusable accounts, overdue work and paused endpoints', async (t) => {
  const home = await newHome(t)
  const database = await testDatabase()
  await makeTrouble(database)
  const { findings, of } = await doctor(home, { DATABASE_URL: database.url })
  assert.match(of('on hold')?.remedy ?? '', /--account live --client <client id>/)
  const message = findings
    .filter(({ found }) => found !== 'good')
    .map((one) => `${one.check}: ${one.message}`)
  for (const wanted of [
    /^account broken: Version 1 cannot be used/,
    /^account live: Carrier swiftly is simulated/,
    /^account live: Carrier swiftly signs in with the secret swiftly-api-key, which is not stored/,
    /^work: live: 1 delivery dead-lettered .*\(DEAD\)/,
    /^work: live: 1 delivery due for more than 5 minutes \(OVERDUE\)/,
    /^on hold: live: 1 delivery on hold \(HELD\)/,
    /^orphaned bookings: live: 1 delivery with an orphaned booking .*\(HELD\)/,
    /^webhooks: live: 1 endpoints paused: https:\/\/shop\.example/,
  ]) {
    assert.ok(
      message.some((line) => wanted.test(line)),
      `${wanted} is not in\n${message.join('\n')}`,
    )
  }
})

async function makeTrouble({ pool: db }: TestDatabase): Promise<void> {
  const demo = parse(await readFile(DEMO, 'utf8'), { merge: true })
  const [swiftly] = demo.carriers
  const carriers = [{ ...swiftly, credentials: { api_key: { secret: 'swiftly-api-key' } } }]
  await applyAccount({ db, newId }, { ...demo, tenant_id: 'live', mode: 'live', carriers }, { by: 'test' })
  await db.query(`insert into accounts (account_id, version, mode) values ('broken', 1, 'live')`)
  await db.query(
    `insert into account_versions (account_id, version, document, applied_by) values ('broken', 1, '{"stores":[]}', 'x')`,
  )
  await db.query(
    `insert into deliveries (account_id, delivery_id, store_id, brand_id, reference, status, content, delivery_type,
       delivery_mode, ready_for_pickup_at, account_version, created_at, updated_at, due_at, dead_lettered_at)
     select 'live', name, store_id, brand_id, name, status, '{}', 'standard', 'store_to_door', now(), 1, now(), now(),
       due_at, dead_lettered_at
     from (select store_id from stores where account_id = 'live' limit 1) as store,
       (select brand_id from brands where account_id = 'live' limit 1) as brand,
       (values ('DEAD', 'requested', null, now()),
               ('OVERDUE', 'requested', now() - interval '1 hour', null),
               ('ON TIME', 'requested', now() + interval '1 hour', null),
               ('HELD', 'on_hold', null, null),
               ('ENDED', 'delivered', null, now())) as rows (name, status, due_at, dead_lettered_at)`,
  )
  await db.query(
    `insert into orphaned_bookings (account_id, provider, reference, delivery_id, attempt, consignment_number, found_at,
       due_at, outcome)
     values ('live', 'swiftly', 'SW-1', 'HELD', 1, 'SW-1', now(), now(), null),
       ('live', 'swiftly', 'SW-2', 'DEAD', 1, 'SW-2', now(), null, 'cancelled')`,
  )
  await db.query(
    `insert into webhook_endpoints (account_id, endpoint_id, url, key_id, nonce, ciphertext, created_at, updated_at,
       paused_at, paused_reason, cursor_feed_position)
     values ('live', 'E-1', 'https://shop.example/hook', 'k', '', '', now(), now(), now(), 'It was gone.', 0),
       ('live', 'E-2', 'https://shop.example/other', 'k', '', '', now(), now(), null, null, 0)`,
  )
}
