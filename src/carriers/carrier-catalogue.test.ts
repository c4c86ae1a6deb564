import assert from 'node:assert/strict'
import test from 'node:test'
import { CarrierDocument } from '../domain/account/document/document-carrier.ts'
import { CARRIER_CATALOGUE, isPractice, listCatalogue } from './carrier-catalogue.ts'
import { ADAPTERS } from './registry.ts'

const send = async () => ({ kind: 'not_sent', message: 'no network in this test' }) as const

test('the catalogue has every adapter, with the credentials, settings and live prices that the adapter has', () => {
  assert.deepEqual(new Set(CARRIER_CATALOGUE.map(({ adapter }) => adapter)), new Set(ADAPTERS.keys()))
  for (const { id, adapter: name, credentials, settings, livePrices } of CARRIER_CATALOGUE) {
    const adapter = ADAPTERS.get(name)
    assert.ok(adapter, id)
    assert.deepEqual(
      credentials.filter(({ optional }) => !optional).map((one) => one.name),
      adapter.live?.credentials ?? [],
      id,
    )
    for (const setting of settings) {
      const [top = ''] = setting.name.split('.')
      assert.ok(Object.hasOwn(adapter.settings?.shape ?? {}, top), `${id}: ${setting.name}`)
    }
    const carrier = adapter.make({ send, credentials: {}, settings: {}, wallMs: Date.now })
    if (adapter.live) assert.equal(carrier.rates !== undefined, livePrices, id)
  }
})

test('each entry makes a carrier of an account document', () => {
  for (const { id, adapter, name, services } of CARRIER_CATALOGUE) {
    const { error } = CarrierDocument.safeParse({ provider: id, adapter, name, services })
    assert.equal(error, undefined, id)
  }
})

test('a live account is offered no practice carriers', () => {
  assert.equal(listCatalogue('sandbox').length, CARRIER_CATALOGUE.length)
  const live = listCatalogue('live')
  assert.ok(live.length > 0 && !live.some(isPractice))
})
