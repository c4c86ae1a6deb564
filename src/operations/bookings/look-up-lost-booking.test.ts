import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alternative } from '../../store/deliveries/booking-intents.ts'
import { chooseAlternative } from './look-up-lost-booking.ts'

const option: Alternative['option'] = {
  provider: 'southern_parcels',
  carrierName: 'Southern Parcels',
  service: 'road',
  carrierCode: 'ROAD',
  manifestGroup: null,
  priceCents: 1_200,
  lines: [],
  numDays: 2,
  pickupMs: 0,
  quote: null,
  deliveryType: 'standard',
  windowFromMs: 0,
  windowToMs: 1,
  accountVersion: 1,
  manifestStatus: 'not_required',
}
const road: Alternative = {
  ...{ provider: 'southern_parcels', service: 'road', option },
  ...{ chargeCents: 1_000, markupPercent: null },
}
const air: Alternative = { ...road, service: 'air', chargeCents: 2_500 }
const live: Alternative = { ...road, chargeCents: null, markupPercent: 10 }

test('the service of a found booking is the one with its charge, otherwise the first', () => {
  assert.equal(chooseAlternative([road, air], { costCents: 2_500 }).service, 'air')
  assert.equal(chooseAlternative([road, air], { costCents: 2_600 }).service, 'road')
})

test('a known price does not change with the charge', () => {
  assert.equal(chooseAlternative([road], { costCents: 9_999 }).option.priceCents, 1_200)
})

test('if the carrier’s own price was lost, the price is its charge plus the account’s markup', () => {
  const { priceCents, lines } = chooseAlternative([live], { costCents: 1_005 }).option
  assert.equal(priceCents, 1_106)
  assert.deepEqual(
    lines.map(({ name, cents }) => [name, cents]),
    [
      ['carrier_price', 1_005],
      ['markup', 101],
    ],
  )
})
