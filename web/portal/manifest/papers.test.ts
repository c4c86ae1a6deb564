import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery, StoreService } from '../../shared/api.generated.ts'
import { papersOf } from './papers.ts'

const services = [
  { carrier_code: 'SP-ROAD', dangerous_goods_apart: true, closes_at: '2026-11-24T15:00:00+11:00' },
  { carrier_code: 'BH-FRT', dangerous_goods_apart: false },
] as StoreService[]
const road = {
  reference: 'A',
  provider: 'southern',
  manifest_group: 'SOUTHERN-ROAD',
  carrier_code: 'SP-ROAD',
  parcels: [{}],
}
const freight = { ...road, provider: 'big_haul', manifest_group: 'BIGHAUL', carrier_code: 'BH-FRT' }
const dangerous = { parcels: [{ contains_dangerous_goods: true }] }

test('a store’s deliveries split by group, and dangerous goods go apart where their carrier demands it', () => {
  const given = [
    { ...road, reference: 'B' },
    road,
    { ...road, ...dangerous, reference: 'C' },
    freight,
    { ...freight, ...dangerous, reference: 'D' },
  ] as unknown as Delivery[]
  const papers = papersOf(given, services).map((paper) => [
    paper.group,
    paper.dangerous,
    paper.deliveries.map(({ reference }) => reference).join(''),
  ])
  assert.deepEqual(papers, [
    ['BIGHAUL', false, 'AD'],
    ['SOUTHERN-ROAD', false, 'AB'],
    ['SOUTHERN-ROAD', true, 'C'],
  ])
})
