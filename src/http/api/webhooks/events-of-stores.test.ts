import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, address, customer, deliveryBody, lineItem, parcel, testApi } from '../../../../test/api.ts'
import { limitedToken } from '../../../../test/limited-client.ts'
import { until } from '../../../../test/wait-until.ts'
import { webhookReceiver } from '../../../../test/webhook-receiver.ts'
import { claimAllocationJobs, settleAllocationJob } from '../../../store/allocation/allocation-jobs.ts'

const DEMO = { accountIds: ['demo'], nowsMs: [Date.now()] }
const SCOPES = ['deliveries:read', 'quotes', 'webhooks']
const OF_NO_DELIVERY = ['manifest.created', 'manifest.submitted', 'link.created', 'allocation.completed']
const { country: _, ...linkAddress } = address

test('a client limited to some stores gets only their events of links, manifests and allocations', async (t) => {
  const api = await testApi(t)
  const receiver = await webhookReceiver(t)
  const token = await limitedToken(api, ['fitzroy', 'perth-cbd'], SCOPES)
  const endpoint = await api.call('POST /demo/webhook-endpoints', {
    body: { url: receiver.url, event_types: OF_NO_DELIVERY },
    token,
  })
  await allocated(api, { store_references: ['melbourne-cbd'] })
  await allocated(api, { store_references: ['fitzroy', 'melbourne-cbd'] })
  await allocated(api, {})
  await busyIn(api, 'melbourne-cbd')
  await busyIn(api, 'fitzroy')
  await allocated(api, {}, token)
  await allocated(api, { store_references: ['perth-cbd'] })

  const updates = await updatesFor(api, token)
  assert.deepEqual(
    updates.map(({ type, data }) => [
      type,
      data.store_id ?? data.store_allocation_ranks?.map((rank) => rank.store_reference),
    ]),
    [
      ['link.created', storeId(api, 'fitzroy')],
      ['manifest.created', storeId(api, 'fitzroy')],
      ['manifest.submitted', storeId(api, 'fitzroy')],
      ['allocation.completed', ['fitzroy', 'perth-cbd']],
      ['allocation.completed', ['perth-cbd']],
    ],
  )

  const reportedAll = async () => {
    const { json } = await api.call(`GET /demo/webhook-endpoints/${endpoint.json.data.id}`, { token })
    return receiver.taken.length >= updates.length && json.data.pending_events === 0
  }
  await until(reportedAll)
  const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id).toSorted()
  assert.deepEqual(ids(receiver.taken), ids(updates))

  const replay = (id: string) =>
    api.call(`POST /demo/webhook-endpoints/${endpoint.json.data.id}/replay`, {
      body: { event_ids: [id] },
      token,
    })
  const mine = new Set(ids(updates))
  for (const { id, type } of await updatesFor(api))
    assert.equal((await replay(id)).status, mine.has(id) ? 202 : 422, type)
})

test('a failed allocation is reported to its caller, and to no client of fewer stores', async (t) => {
  const api = await testApi(t, { work: false })
  const token = await limitedToken(api, ['fitzroy', 'perth-cbd'], SCOPES)
  const fewer = await limitedToken(api, ['fitzroy'], SCOPES)
  const { deps } = api.fixture
  for (const asker of [token, undefined]) {
    const { json } = await ask(api, {}, asker)
    const [claim] = await claimAllocationJobs(deps.db, DEMO, { limit: 1, leaseMs: 10_000 })
    assert.equal(claim?.jobId, json.job_id)
    const event = { eventId: deps.newId('evt'), atMs: Date.now() }
    assert.ok(await settleAllocationJob(deps.db, claim!, { status: 'failed', reason: 'No.' }, event))
  }
  const [own, wide] = await updatesFor(api)
  assert.deepEqual(await updatesFor(api, token), [own])
  assert.deepEqual(
    own?.data.store_ids?.toSorted(),
    [storeId(api, 'fitzroy'), storeId(api, 'perth-cbd')].toSorted(),
  )
  assert.equal(wide?.data.store_ids, undefined)
  assert.deepEqual(await updatesFor(api, fewer), [])
})

/** Creates a link, books a delivery and submits its manifest. */
async function busyIn({ call }: Api, store_reference: string): Promise<void> {
  const link = { customer, address: linkAddress, line_items: [lineItem], parcels: [parcel] }
  const order = deliveryBody({ store_reference, delivery_type: 'standard', book_delivery_now: true })
  for (const [line, body] of [
    ['POST /demo/links', { ...link, store_reference, reference: `CC-${store_reference}` }],
    ['POST /demo/deliveries', order],
    ['POST /demo/store-manifests', { store_reference, create_manifest_now: true }],
  ] as const) {
    const { status, text } = await call(line, { body })
    assert.equal(status, 201, text)
  }
}

/** Ranks stores asynchronously and waits for the result. */
async function allocated(api: Api, body: object, token?: string): Promise<void> {
  const { json } = await ask(api, body, token)
  const status = `GET /demo/deliveries/quote/allocation/status/${json.job_id}`
  await until(async () => (await api.call(status)).json.status === 'done', 'the stores are ranked')
}

function ask({ call }: Api, body: object, token?: string) {
  return call('POST /demo/deliveries/quote/allocation', {
    body: { address: { latitude: -37.8183, longitude: 144.9671 }, use_async: true, ...body },
    ...by(token),
  })
}

type CarrierUpdates = {
  id: string
  type: string
  data: {
    store_id?: string
    store_ids?: string[]
    store_allocation_ranks?: { store_reference: string }[]
  }
}

/** The events of the feed that belong to no delivery. */
async function updatesFor(api: Api, token?: string): Promise<CarrierUpdates[]> {
  const { json } = await api.call('GET /demo/events?limit=200', by(token))
  return json.data.filter(({ type }: CarrierUpdates) => OF_NO_DELIVERY.includes(type))
}

/** The demo client by default. */
function by(token?: string): { token?: string } {
  return token === undefined ? {} : { token }
}

function storeId({ fixture }: Api, reference: string): string {
  return fixture.demo().account.storeByReference.get(reference)!.id
}
