import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, type Reply, testApi } from '../../../../test/api.ts'
import { until } from '../../../../test/wait-until.ts'
import { applyAccount, exportAccount } from '../../../operations/accounts/apply-account.ts'
import { bookDelivery } from '../../../operations/bookings/book-delivery.ts'
import { claimDeliveries } from '../../../operations/deliveries/process-due-deliveries.ts'
import { toClaim } from '../../../operations/leases/claim.ts'

const GONE = 'melbourne-cbd'

test('a store that was removed from the account gets no new deliveries, and its open ones are completed', async (t) => {
  const api = await testApi(t, { work: false })
  const { call, fixture } = api
  const ids = {
    inFlight: await create(api, 'IN-HAND'),
    waits: await create(api, 'WAITS'),
    refused: await create(api, 'R-rejected'),
    cancelled: await create(api, 'CANCELLED'),
    amended: await create(api, 'AMENDED'),
  }
  const due = await claimDeliveries(fixture.deps, 10)
  const inFlight = due.find(({ row }) => row.delivery_id === ids.inFlight)
  assert.ok(inFlight)
  await leave(api)

  const refused = await call('POST /demo/deliveries', { body: bodyOf('TOO-LATE') })
  assert.equal(refused.status, 422)
  assert.deepEqual(mistakesOf(refused), [['store_reference', 'unknown_store']])
  const amend = await call(`PATCH /demo/deliveries/AMENDED/amend?store_reference=${GONE}`, {
    body: { ready_for_pickup_at: '2026-11-24T10:45:00+11:00', delivery_type: 'standard' },
  })
  assert.equal(amend.status, 200, amend.text)
  const { store_reference, delivery_type } = amend.json.data
  assert.deepEqual([store_reference, delivery_type], [GONE, 'standard'])
  const cancel = await call(`PATCH /demo/deliveries/${ids.cancelled}/request-cancel`)
  assert.deepEqual([cancel.status, cancel.json.data.status], [200, 'cancelled'])

  const claim = toClaim(fixture.deps, inFlight.row, inFlight.claimedAtMs, 'worker')
  await bookDelivery({ deps: fixture.deps, entry: fixture.demo(), claim })
  assert.equal((await read(api, ids.inFlight)).status, 'booked')

  await fixture.deps.db.query(`update deliveries set lease_until = null`)
  fixture.parts.runner.start()
  for (const [id, status] of [
    [ids.waits, 'booked'],
    [ids.amended, 'booked'],
    [ids.refused, 'on_hold'],
  ] as const) {
    const delivery = await untilDelivery(api, id, (one) => one.status !== 'requested')
    assert.equal(delivery.status, status, delivery.status_reason)
    assert.equal(delivery.store_reference, GONE)
  }
  const manifest = await call('POST /demo/store-manifests', {
    body: { store_reference: GONE, create_manifest_now: true, delivery_references: ['AMENDED'] },
  })
  assert.equal(manifest.status, 201, manifest.text)
  const [submittedManifest] = manifest.json.data
  assert.deepEqual([submittedManifest.store_reference, submittedManifest.status], [GONE, 'submitted'])
  const label = await call(`GET /demo/deliveries/${ids.waits}/label`)
  assert.equal(label.status, 200)
  const undone = await call(`PATCH /demo/deliveries/${ids.waits}/request-cancel`)
  assert.deepEqual([undone.status, undone.json.data.status], [200, 'cancelled'])
})

const mistakesOf = ({ json }: Reply) =>
  json.errors.map(({ field, issue }: Record<string, string>) => [field, issue])

const bodyOf = (reference: string) =>
  deliveryBody({ store_reference: GONE, reference, ready_for_pickup_at: '2026-11-24T10:30:00+11:00' })

async function create({ call }: Api, reference: string): Promise<string> {
  const { status, json, text } = await call('POST /demo/deliveries', { body: bodyOf(reference) })
  assert.equal(status, 201, text)
  return json.data.id
}

async function leave({ fixture: { deps } }: Api): Promise<void> {
  const { document } = await exportAccount(deps, 'demo')
  const stores = document.stores.filter(({ reference }) => reference !== GONE)
  await applyAccount(deps, { ...document, stores }, { by: 'test' })
}

// biome-ignore lint/suspicious/noExplicitAny: a delivery from a response.
async function read({ call }: Api, id: string): Promise<any> {
  const { status, json, text } = await call(`GET /demo/deliveries/${id}`)
  assert.equal(status, 200, text)
  return json.data
}

function untilDelivery(api: Api, id: string, reached: (delivery: { status: string }) => boolean) {
  return until(async () => {
    const delivery = await read(api, id)
    return reached(delivery) && delivery
  })
}
