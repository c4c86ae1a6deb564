import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, testApi } from '../../../../test/api.ts'
import { statementsOf } from '../../../../test/statements-of.ts'
import { applyAccount, exportAccount } from '../../../operations/accounts/apply-account.ts'

test('a list reads only the deliveries that have changed since this process last showed them', async (t) => {
  const api = await testApi(t, { work: false })
  const [first, second] = [await create(api), await create(api)]
  assert.equal(await rowReads(api), 1)
  const before = await list(api)
  assert.deepEqual(
    before.map(({ id }) => id),
    [second, first],
  )
  assert.equal(await rowReads(api), 0)

  await api.call(`PATCH /demo/deliveries/${first}/request-cancel`)
  const after = await list(api)
  assert.deepEqual(
    after.map(({ id, status }) => [id, status]),
    [
      [second, 'requested'],
      [first, 'cancelled'],
    ],
  )
  for (const one of after) assert.deepEqual(one, (await api.call(`GET /demo/deliveries/${one.id}`)).json.data)
  assert.equal(await rowReads(api), 0)
})

test('a list shows what a new account document says of a delivery', async (t) => {
  const api = await testApi(t, { work: false })
  await create(api)
  assert.equal((await list(api))[0]?.store_location.name, 'Melbourne CBD')
  const { deps } = api.fixture
  const { document } = await exportAccount(deps, 'demo')
  const stores = document.stores.map((store) => ({ ...store, name: `${store.name} (new)` }))
  await applyAccount(deps, { ...document, stores }, { by: 'test' })
  assert.equal((await list(api))[0]?.store_location.name, 'Melbourne CBD (new)')
})

test('the URL of a proof is new in every list, because it is valid for a day', async (t) => {
  const api = await testApi(t, { work: false })
  const id = await create(api)
  await api.fixture.deps.db.query(
    `update deliveries set status = 'delivered', has_proof = true, consignment_number = 'SP1' where delivery_id = $1`,
    [id],
  )
  assert.match((await list(api))[0]?.proof_url ?? '', /\/proof\?exp=/)
  assert.equal(await rowReads(api), 1)
})

type Row = { id: string; status: string; store_location: { name: string }; proof_url?: string }

async function list({ call }: Api): Promise<Row[]> {
  return (await call('GET /demo/deliveries')).json.data
}

async function rowReads(api: Api): Promise<number> {
  return (await statementsOf(api, () => list(api)))['find-delivery-versions'] ?? 0
}

async function create({ call }: Api): Promise<string> {
  return (await call('POST /demo/deliveries', { body: deliveryBody() })).json.data.id
}
