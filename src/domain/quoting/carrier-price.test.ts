import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { jobAt } from '../../../test/jobs.ts'
import type { Account } from '../account/account.ts'
import type { CarrierRate, RateResponse } from './carrier-rate.ts'
import { decide, wantingRates } from './decide.ts'

const demo = exampleAccount('demo-account')
const NOW_MS = Date.parse('2026-11-24T10:00:00+11:00')

const rate: CarrierRate = {
  carrierCode: 'SW-NOW',
  priceCents: 1_205,
  lines: [
    { name: 'carrier_price', cents: 1_100, detail: null },
    { name: 'surcharge', cents: 105, detail: 'fuel' },
  ],
  quoteId: 'dqt_1',
  expiresAtMs: NOW_MS + 900_000,
  window: { fromMs: NOW_MS + 1_800_000, toMs: NOW_MS + 3_600_000 },
}

test('an option has the carrier’s price, window and quote, plus the markup', () => {
  const account = { ...live(), pricing: { markupPercent: 10, fixedCents: {} } }
  const option = optionOf(account, { kind: 'rates', byCode: new Map([['SW-NOW', rate]]) })
  assert.equal(option?.priceCents, 1_326)
  assert.deepEqual(
    option?.lines.map(({ name, cents }) => [name, cents]),
    [
      ['carrier_price', 1_100],
      ['surcharge', 105],
      ['markup', 121],
    ],
  )
  assert.deepEqual(option?.window, rate.window)
  assert.deepEqual(option?.quote, { id: 'dqt_1', expiresAtMs: rate.expiresAtMs, priceCents: 1_205 })
})

test('a carrier that does not answer is priced by its rate card, or else excluded', () => {
  const silent: RateResponse = { kind: 'none', message: 'no answer within 1.5 s', mayComeLater: true }
  const carded = optionOf(live(), silent)
  assert.deepEqual([carded?.lines[0]?.name, carded?.quote], ['base', null])

  const [excluded] = exclusions(live(null), silent)
  assert.equal(excluded?.rule, 'carrier_price')
  assert.equal(excluded?.detail, 'Swiftly returned no price: no answer within 1.5 s.')
  assert.equal(excluded?.mayComeLater, true)
})

test('a service missing from the carrier’s answer is excluded, even with a rate card', () => {
  const [excluded] = exclusions(live(), { kind: 'rates', byCode: new Map() })
  assert.equal(excluded?.detail, 'Swiftly does not offer it for this job.')
  assert.equal(excluded?.mayComeLater, undefined)
})

test('requests rates only for eligible services with live prices', () => {
  assert.deepEqual(wantingRates(demo, jobAt(demo, {}), NOW_MS), [])
  const requested = (changes: Parameters<typeof jobAt>[1]) =>
    wantingRates(live(), jobAt(demo, changes), NOW_MS).map(({ service }) => service.carrierCode)
  assert.deepEqual(requested({}), ['SW-NOW'])
  assert.deepEqual(requested({ deliveryType: 'standard' }), [])
})

/** The demo account, where Swiftly itself prices its service NOW; without a rate card when `price` is null. */
function live(price?: null): Account {
  const services = demo.services.map((service) =>
    service.service === 'NOW'
      ? { ...service, carrierCode: 'SW-NOW', livePrice: true, ...(price === null ? { price } : {}) }
      : service,
  )
  return { ...demo, services }
}

function decided(account: Account, response: RateResponse) {
  const job = jobAt(demo, { rateResponses: new Map([['swiftly', response]]) })
  return decide(account, job, NOW_MS)
}

function optionOf(account: Account, response: RateResponse) {
  return decided(account, response).options.find(({ service }) => service.service === 'NOW')
}

function exclusions(account: Account, response: RateResponse) {
  return decided(account, response).exclusions.filter(({ service }) => service.service === 'NOW')
}
