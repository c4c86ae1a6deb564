import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from '../../csv.ts'
import { toCostRows } from './cost-rows.ts'
import type { DeliveryCost } from './read-costs.ts'

const delivered: DeliveryCost = {
  id: 'dlv_1',
  reference: 'WC-10471',
  store_reference: 'perth-cbd',
  status: 'delivered',
  suburb: 'Fremantle',
  provider: 'swiftly',
  carrier: 'Swiftly',
  service: 'TODAY',
  consignment_number: '0099471',
  quoted_cents: 790,
  charged_cents: 123_450,
  booked_at: '2026-11-23T20:00:00.000Z',
  delivered_at: '2026-11-24T04:00:00.000Z',
  timeliness: 'on_time',
}
const stores = [{ reference: 'perth-cbd', name: 'Perth CBD', time_zone: 'Australia/Perth' }]

const lineOf = (over: Partial<DeliveryCost>) =>
  csvOf(toCostRows([{ ...delivered, ...over }], stores, 'Australia/Melbourne')).split('\r\n')[1]

test('a delivery is a row in dollars, with the times of its store', () => {
  assert.equal(
    lineOf({}),
    'WC-10471,Delivered,Perth CBD,Fremantle,Swiftly,TODAY,"=""0099471""",7.90,1234.50,2026-11-24 04:00,2026-11-24 12:00,Yes',
  )
  const none = { charged_cents: null, delivered_at: null, timeliness: null } as const
  assert.equal(
    lineOf({ ...none, status: 'lost', store_reference: 'closed' }),
    'WC-10471,Lost,closed,Fremantle,Swiftly,TODAY,"=""0099471""",7.90,,2026-11-24 07:00,,',
  )
  const own = { provider: null, carrier: null, service: null, consignment_number: null, quoted_cents: null }
  assert.equal(
    lineOf({ ...none, ...own, timeliness: 'late', suburb: '=1+1' }),
    "WC-10471,Delivered,Perth CBD,'=1+1,Own couriers,,,,,2026-11-24 04:00,,Late",
  )
})
