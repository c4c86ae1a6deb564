import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN, apiWithPeople, CLERK, OPERATOR_USER, person } from '../../../../test/people.ts'
import { setSecret } from '../../../operations/accounts/secrets.ts'
import { recorder } from '../../../operations/audit/audit.ts'

const ONE = '/admin/accounts/demo'

test('a merchant admin changes what is theirs, and what the partner has granted', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const operator = await person(api, OPERATOR_USER)
  const clerk = await person(api, CLERK)

  const { json: document } = await admin.call(`GET ${ONE}`)
  const closedOnSaturdays = structuredClone(document)
  closedOnSaturdays.stores[6].hours.sat = 'closed'
  const put = await admin.call(`PUT ${ONE}?expect_version=1`, { body: closedOnSaturdays })
  assert.equal(put.status, 200, put.json.detail)
  assert.deepEqual((await admin.call(`GET ${ONE}`)).json, closedOnSaturdays)
  const versions = (await admin.call(`GET ${ONE}/versions`)).json.data
  assert.deepEqual(versions.map(({ applied_by }: { applied_by: string }) => applied_by)[0], ADMIN.email)
  const [latest] = (await operator.call('GET /demo/audit-log')).json.data
  assert.deepEqual(
    [latest.action, latest.actor.kind, latest.actor.name, latest.after],
    ['applyAccount', 'user', 'Ada Admin', { version: 2 }],
  )

  const forbidden = { ...closedOnSaturdays, owner_grants: [], limits: { burst: 9 }, own_carriers: true }
  const refused = await admin.call(`PUT ${ONE}?dry_run=true`, { body: forbidden })
  assert.deepEqual([refused.status, refused.json.code], [403, 'not_granted'])
  assert.deepEqual(refused.json.errors.map(({ field }: { field: string }) => field).sort(), [
    'limits.burst',
    'limits.requests_per_second',
    'owner_grants',
  ])

  await operator.call(`PUT ${ONE}`, { body: { ...closedOnSaturdays, owner_grants: [] } })
  for (const [name, change] of Object.entries({
    own_carriers: { own_carriers: true },
    'carriers.swiftly': { carriers: closedOnSaturdays.carriers.slice(1) },
  })) {
    const { status, json } = await admin.call(`PUT ${ONE}`, {
      body: { ...closedOnSaturdays, owner_grants: [], ...change },
    })
    assert.deepEqual([status, json.code], [403, 'not_granted'])
    assert.equal(json.errors[0].field, name)
  }
  const secret = await admin.call(`PUT ${ONE}/secrets/swiftly-key`, { body: { secret: 'CANARY-SECRET' } })
  assert.deepEqual([secret.status, secret.json.code], [403, 'not_granted'])
  await operator.call(`PUT ${ONE}/secrets/swiftly-key`, { body: { secret: 'CANARY-SECRET' } })
  const removal = await admin.call(`DELETE ${ONE}/secrets/swiftly-key`)
  assert.deepEqual([removal.status, removal.json.code], [403, 'not_granted'])

  for (const line of [
    `GET ${ONE}`,
    `PUT ${ONE}`,
    `GET ${ONE}/versions`,
    `GET ${ONE}/secrets`,
    `DELETE ${ONE}/secrets/swiftly-key`,
  ]) {
    const { status } = await clerk.call(line, line.startsWith('PUT') ? { body: document } : {})
    assert.equal(status, 403, `clerk ${line}`)
  }
  assert.equal((await admin.call('GET /admin/accounts/acme-byoc')).status, 404)
})

test('a credential is stored by the admin and never returned, logged or audited', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const put = await admin.call(`PUT ${ONE}/secrets/swiftly-key`, { body: { secret: 'CANARY-SECRET' } })
  assert.equal(put.status, 204, JSON.stringify(put.json))
  for (const line of [`GET ${ONE}`, `GET ${ONE}/secrets`, 'GET /demo/audit-log', 'GET /demo/carriers']) {
    const { status, json } = await admin.call(line)
    assert.equal(status, 200, line)
    assert.ok(!JSON.stringify(json).includes('CANARY'), line)
  }
  const list = async () => (await admin.call(`GET ${ONE}/secrets`)).json.data
  assert.deepEqual(
    (await list()).map(({ name, stored_by }: { name: string; stored_by: string }) => [name, stored_by]),
    [['swiftly-key', 'Ada Admin']],
  )
  assert.equal((await admin.call(`DELETE ${ONE}/secrets/swiftly-key`)).status, 204)
  assert.deepEqual(await list(), [])
  const [latest] = (await admin.call('GET /demo/audit-log')).json.data
  assert.deepEqual(
    [latest.action, latest.actor.name, latest.object],
    ['deleteSecret', 'Ada Admin', 'swiftly-key'],
  )
})

test('a credential that the command line stores again is no longer stored by the admin', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const storedBy = async () => (await admin.call(`GET ${ONE}/secrets`)).json.data[0].stored_by
  const storeAsAdmin = () => admin.call(`PUT ${ONE}/secrets/swiftly-key`, { body: { secret: 'first' } })
  const { deps } = api.fixture
  const again = { name: 'swiftly-key', secret: 'second' }

  await storeAsAdmin()
  assert.equal(await storedBy(), 'Ada Admin')
  // The clock of the command line is behind, so its id sorts before the admin's.
  const act = { kind: 'command', actor: 'root', action: 'setSecret', ip: null, requestId: null } as const
  const record = recorder({ newId: () => 'aud_00000000000000000000000000' as never }, act)
  await setSecret(deps, 'demo', again, record)
  assert.equal(await storedBy(), undefined)
  await storeAsAdmin()
  assert.equal(await storedBy(), 'Ada Admin')
  await setSecret(deps, 'demo', again)
  assert.equal(await storedBy(), undefined)
  await storeAsAdmin()
  assert.equal(await storedBy(), 'Ada Admin')
})
