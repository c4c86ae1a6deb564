import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery, Manifest, StoreService } from '../../shared/api.generated.ts'
import { heldBy, papersOf } from './papers.ts'

const services = [
  {
    carrier_code: 'SP-ROAD',
    separate_dangerous_goods_manifest: true,
    closes_at: '2026-11-24T15:00:00+11:00',
  },
  { carrier_code: 'BH-FRT', separate_dangerous_goods_manifest: false },
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

test('a store’s deliveries are split by group, and dangerous goods apart if the carrier requires it', () => {
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

test('a delivery on a manifest is offered again only once it was refused or removed', () => {
  const manifest = {
    status: 'submitting',
    manifest_deliveries: [{ delivery_id: 'A' }, { delivery_id: 'B', moved_to_another_carrier: true }],
  } as Manifest
  const held = (status: Manifest['status']) => [...heldBy([{ ...manifest, status }])]
  for (const status of ['submitting', 'on_hold', 'submitted'] as const) assert.deepEqual(held(status), ['A'])
  for (const status of ['draft', 'refused'] as const) assert.deepEqual(held(status), [])
})
