import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Api, deliveryBody, parcel, testApi } from '../../../../test/api.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { until } from '../../../../test/wait-until.ts'
import type { AccountDocumentInput } from '../../../domain/account/document/document.ts'
import { applyAccount, exportAccount } from '../../../operations/accounts/apply-account.ts'
import {
  claimDeliveries,
  processDueDeliveries,
} from '../../../operations/deliveries/process-due-deliveries.ts'

const HOUR_MS = 3_600_000
const perfumery = {
  ...parcel,
  contains_dangerous_goods: true,
  dangerous_goods: { dangerous_goods_definition: 'perfumery', net_weight_kg: 0.4 },
}

test('deliveries of a carrier that left the account are still booked, tracked, cancelled and manifested', async (t) => {
  const api = await testApi(t)
  const { call, fixture } = api
  await create(api, 'REPORTED', { delivery_type: 'fast', book_delivery_now: true })
  const parcels = [perfumery]
  const polled = await create(api, 'POLLED', {
    delivery_type: 'standard',
    parcels,
    book_delivery_now: true,
  })
  await create(api, 'CANCELLED', { delivery_type: 'standard', book_delivery_now: true })
  await create(api, 'WAITS', { delivery_type: 'standard' })
  assert.ok(polled.dangerous_goods_form_url)
  await apply(api, (carriers) => carriers.filter(({ provider }) => provider === 'big_haul'))

  const none = await call('POST /demo/deliveries', { body: deliveryBody({ delivery_type: 'fast' }) })
  assert.deepEqual([none.status, none.json.code], [422, 'no_service_available'])
  assert.ok((await read(api, 'POLLED')).dangerous_goods_form_url)
  const cancel = await call('PATCH /demo/deliveries/CANCELLED/request-cancel')
  assert.deepEqual([cancel.status, cancel.json.data?.status], [200, 'cancelled'], cancel.text)
  const booked = await call('PATCH /demo/deliveries/WAITS/book')
  assert.equal(booked.json.data.status, 'booked', booked.json.data.status_reason)
  assert.equal(booked.json.data.carrier_provider, 'Southern Parcels')
  const manifest = await call('POST /demo/manifests', {
    body: { store_reference: 'melbourne-cbd', manifest_group: 'SOUTHERN-ROAD' },
  })
  assert.equal(manifest.status, 201, manifest.text)
  assert.deepEqual(
    manifest.json.data.map(({ status, carrier_provider: name }: Record<string, string>) => [status, name]),
    Array(2).fill(['submitted', 'Southern Parcels']),
  )

  await fixture.setClock(TUESDAY_TEN_MS + 49 * HOUR_MS)
  for (const reference of ['REPORTED', 'POLLED', 'WAITS'])
    await until(async () => (await read(api, reference)).status === 'delivered', `${reference} is delivered`)
})

test('a carrier that the account can no longer use does not count as a refusal; its deliveries are still polled', async (t) => {
  const api = await testApi(t, { work: false })
  const { fixture } = api
  const { id } = await create(api, 'BOOKED', { delivery_type: 'standard', book_delivery_now: true })
  await create(api, 'WAITS', { delivery_type: 'standard' })
  const { document } = await exportAccount(fixture.deps, 'demo')
  await applyAccount(fixture.deps, { ...document, mode: 'live' }, { by: 'test' })

  const held = (await api.call('PATCH /demo/deliveries/WAITS/book')).json.data
  assert.deepEqual(
    [held.status, held.status_reason],
    [
      'on_hold',
      'Southern Parcels can no longer be booked by this account, and no other carrier can take the delivery.',
    ],
  )
  const due = `update deliveries set due_at = now() - interval '1 second', lease_until = null where delivery_id = $1`
  await fixture.deps.db.query(due, [id])
  await processDueDeliveries(fixture.deps, await claimDeliveries(fixture.deps, 10))
  const { rows } = await fixture.deps.db.query('select due_at from deliveries where delivery_id = $1', [id])
  assert.ok(rows[0].due_at > Date.now(), 'it is polled again')
})

test('a sandbox carrier with the merchant’s own name reports to that carrier', async (t) => {
  const api = await testApi(t)
  await apply(api, (carriers) => {
    const [swiftly, ...others] = carriers as [Carrier, ...Carrier[]]
    const bikes = { ...swiftly, provider: 'bikes', adapter: 'swiftly', name: 'Bikes' }
    return [{ ...swiftly, limits: { states: ['WA'] } }, bikes, ...others]
  })
  const created = await create(api, 'BY-BIKE', { delivery_type: 'fast', book_delivery_now: true })
  assert.equal(created.carrier_provider, 'Bikes')
  await api.fixture.setClock(TUESDAY_TEN_MS + 12 * HOUR_MS)
  await until(async () => (await read(api, 'BY-BIKE')).status === 'delivered', 'it is delivered')
})

type Carrier = NonNullable<AccountDocumentInput['carriers']>[number]

async function apply({ fixture: { deps } }: Api, change: (carriers: readonly Carrier[]) => Carrier[]) {
  const { document } = await exportAccount(deps, 'demo')
  await applyAccount(deps, { ...document, carriers: change(document.carriers ?? []) }, { by: 'test' })
}

async function create({ call }: Api, reference: string, over: object) {
  const { status, json, text } = await call('POST /demo/deliveries', {
    body: deliveryBody({ reference, ...over }),
  })
  assert.equal(status, 201, text)
  return json.data
}

async function read({ call }: Api, reference: string) {
  return (await call(`GET /demo/deliveries/${reference}`)).json.data
}
