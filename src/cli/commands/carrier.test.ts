import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'yaml'
import { startAuspost } from '../../../fakes/auspost/start-auspost.ts'
import { testDatabase } from '../../../test/database.ts'
import { runProgram } from '../../../test/program.ts'
import { applyAccount } from '../../operations/accounts/apply-account.ts'
import { newId } from '../../operations/new-id.ts'

const DEMO = new URL('../../../examples/demo-account.yaml', import.meta.url)

test('the carrier check reports each missing step until the carrier is ready', async (t) => {
  const { pool, url } = await testDatabase(t)
  const fake = await startAuspost()
  t.after(() => fake.close())
  const demo = parse(await readFile(DEMO, 'utf8'), { merge: true })
  const auspost = {
    ...demo.carriers[1],
    provider: 'auspost',
    name: 'Australia Post',
    base_url: fake.url,
    credentials: { api_key: { secret: 'key' }, password: { secret: 'password' } },
    settings: { account_number: '0000123456' },
  }
  const apply = (carrier: object) =>
    applyAccount({ db: pool, newId }, { ...demo, carriers: [carrier] }, { by: 'test' })
  await apply({ ...auspost, name: 'AusPost' })
  // Stored by an older build, which did not check the settings.
  await pool.query(
    `update account_versions set document = jsonb_set(document::jsonb, '{carriers,0,settings,account_number}', '"12"')::json`,
  )
  const env = { DATABASE_URL: url, DROVER_SECRET_KEY: 'k'.repeat(43) }
  const drover = (args: string[], input = '') => runProgram(args, { env, input })
  const check = async () => {
    const { code, out } = await drover(['carrier', 'check', '--account', 'demo', '--json'])
    const [checked] = JSON.parse(out)
    assert.equal(code, checked.ok ? 0 : 1)
    return checked.message as string
  }
  assert.match(await check(), /settings.account_number: .*digits.*secret key is not stored/)
  await apply(auspost)
  await applyAccount({ db: pool, newId }, { ...demo, tenant_id: 'another' }, { by: 'test' })
  for (const [name, secret] of [
    ['key', 'fake-key'],
    ['password', 'fake-password'],
  ] as const) {
    assert.equal((await drover(['secret', 'set', name, '--account', 'demo'], `${secret}\n`)).code, 0)
  }
  assert.match(await check(), /^Logged in to Australia Post \(sandbox\): account 0000123456/)

  assert.equal((await drover(['carrier', 'check', 'auspost'])).code, 0, 'accounts without it are left out')
  assert.match(
    (await drover(['carrier', 'check', 'nobody'])).err,
    /^No account has a carrier called nobody\. To list/m,
  )

  const off = await drover(['carrier', 'off', 'auspost', '--account', 'demo', '--reason', 'no van'])
  assert.equal(off.out, 'Australia Post is off. 0 not collected, 0 being cancelled.\n')
  assert.equal(
    (await drover(['carrier', 'on', 'auspost', '--account', 'demo'])).out,
    'Australia Post is on.\n',
  )
})
