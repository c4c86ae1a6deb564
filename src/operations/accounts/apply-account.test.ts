import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { planText } from '../../domain/account/plan.ts'
import { Refusal } from '../../domain/errors.ts'
import { listAccountIds } from '../../store/accounts/accounts.ts'
import { newId } from '../new-id.ts'
import { type ApplyDeps, applyAccount, exportAccount } from './apply-account.ts'

const demo = parse(await readFile(new URL('../../../examples/demo-account.yaml', import.meta.url), 'utf8'))
const named = (tenantId: string, change: object = {}) => ({ ...demo, tenant_id: tenantId, ...change })
const by = { by: 'test' }

let database: TestDatabase
let deps: ApplyDeps
before(async () => {
  database = await testDatabase()
  deps = { db: database.pool, newId }
})

test('an account document is returned exactly as it was applied', async () => {
  assert.deepEqual(
    await applyAccount(deps, named('whole'), by).then(({ version, changed }) => ({ version, changed })),
    {
      version: 1,
      changed: true,
    },
  )
  const { version, document } = await exportAccount(deps, 'whole')
  assert.equal(version, 1)
  assert.equal(JSON.stringify(document), JSON.stringify(named('whole')))
})

test('applying the same document again changes nothing, in any order of members', async () => {
  await applyAccount(deps, named('same'), by)
  const turned = Object.fromEntries(Object.entries(named('same')).reverse())
  assert.deepEqual(await applyAccount(deps, turned, by), {
    version: 1,
    changed: false,
    plan: [],
    warnings: [],
  })
  const { rows } = await database.pool.query(`select revision from accounts where account_id = 'same'`)
  assert.equal(rows[0].revision, 2)
})

test('stores and brands keep their ids when they change, are removed and return', async () => {
  await applyAccount(deps, named('ids'), by)
  const before = await listAccountIds(database.pool, 'ids')
  await applyAccount(deps, named('ids', { stores: demo.stores.slice(1) }), by)
  const retired = `select reference from stores where account_id = 'ids' and retired_at is not null`
  assert.deepEqual((await database.pool.query(retired)).rows, [{ reference: 'melbourne-cbd' }])

  await applyAccount(deps, named('ids'), by)
  assert.deepEqual((await database.pool.query(retired)).rows, [])
  assert.deepEqual(await listAccountIds(database.pool, 'ids'), before)
})

test('a dry run returns the plan and changes nothing', async () => {
  const { plan, changed, version } = await applyAccount(deps, named('dry'), { ...by, dryRun: true })
  assert.deepEqual({ changed, version }, { changed: true, version: 1 })
  assert.equal(planText(plan[0]!), '+ account dry')
  await assert.rejects(exportAccount(deps, 'dry'), { code: 'not_found' })
})

test('an invalid document is rejected with all its mistakes, and nothing changes', async () => {
  await applyAccount(deps, named('spoilt'), by)
  const stores = [
    ...demo.stores,
    { ...demo.stores[0], reference: 'new', brand: 'watle-and-co', hours: { mon: '25:00-26:00' } },
  ]
  const carriers = [{ ...demo.carriers[0], adapter: 'swiftley' }]
  await assert.rejects(applyAccount(deps, named('spoilt', { stores, carriers }), by), (error: Refusal) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual(
      error.issues.map(({ field }) => field),
      ['stores[10].hours.mon', 'stores[10].brand', 'carriers[0].adapter'],
    )
    assert.match(error.issues[2]!.message, /Did you mean "swiftly"\?/)
    return true
  })
  assert.equal((await exportAccount(deps, 'spoilt')).version, 1)
})

test('concurrent applies of an account are serialised', async () => {
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, turn) => applyAccount(deps, named('busy', { name: `Turn ${turn}` }), by)),
  )
  assert.deepEqual(results.map(({ version }) => version).sort(), [1, 2, 3, 4, 5, 6, 7, 8])
  assert.equal((await exportAccount(deps, 'busy')).version, 8)
})

test('an apply that expects another version is rejected', async () => {
  await applyAccount(deps, named('expected'), { ...by, expectVersion: 0 })
  await assert.rejects(applyAccount(deps, named('expected', { name: 'Late' }), { ...by, expectVersion: 0 }), {
    code: 'version_conflict',
  })
})

test('a document with thousands of mistakes is rejected with their number and the first 1,000', async () => {
  const stores = Array.from({ length: 3_000 }, () => ({}))
  await assert.rejects(applyAccount(deps, named('hopeless', { stores }), by), (error: Refusal) => {
    const count = Number(/has (\d+) mistakes/.exec(error.message)?.[1])
    assert.ok(count >= 9_000, error.message)
    assert.equal(error.issues.length, 1_000)
    return error.code === 'invalid_request'
  })
})
