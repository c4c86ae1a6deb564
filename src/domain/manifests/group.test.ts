import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Candidate, isOfGoods, manifestGroups } from './group.ts'

const road: Candidate = {
  deliveryId: 'dlv_1',
  provider: 'southern_parcels',
  manifestGroup: 'SOUTHERN-ROAD',
  dangerousGoods: false,
  apart: true,
  units: 1,
  maxUnits: null,
}
const freight = { ...road, provider: 'big_haul', manifestGroup: 'BIGHAUL', apart: false }

test('each carrier group is a manifest; dangerous goods are separate only if the carrier requires it', () => {
  const groups = manifestGroups([
    { ...road, deliveryId: 'a' },
    { ...road, deliveryId: 'b', dangerousGoods: true },
    { ...road, deliveryId: 'c', manifestGroup: 'SOUTHERN-AIR' },
    { ...road, deliveryId: 'd' },
    { ...freight, deliveryId: 'e' },
    { ...freight, deliveryId: 'f', dangerousGoods: true },
    { ...freight, deliveryId: 'g', provider: 'other_haul' },
  ])
  assert.deepEqual(
    groups.map(({ provider, manifestGroup, dangerousGoods, deliveries }) => [
      `${provider} ${manifestGroup}`,
      dangerousGoods,
      deliveries.map(({ deliveryId }) => deliveryId).join(''),
    ]),
    [
      ['southern_parcels SOUTHERN-ROAD', false, 'ad'],
      ['southern_parcels SOUTHERN-ROAD', true, 'b'],
      ['southern_parcels SOUTHERN-AIR', false, 'c'],
      ['big_haul BIGHAUL', true, 'ef'],
      ['other_haul BIGHAUL', false, 'g'],
    ],
  )
})

test('a group over the carrier’s maximum is split into several manifests', () => {
  const units = [4, 5, 1, 10, 3, 8, 12, 1]
  const candidates = units.map((many, index) => ({
    ...road,
    deliveryId: `${index}`,
    units: many,
    maxUnits: 10,
  }))
  const groups = manifestGroups([...candidates, { ...freight, deliveryId: 'x', units: 99 }])
  assert.deepEqual(
    groups.map(({ deliveries }) => deliveries.map((one) => one.units)),
    [[4, 5, 1], [10], [3], [8], [12], [1], [99]],
  )
})

test('no deliveries, no manifest', () => assert.deepEqual(manifestGroups([]), []))

test('every delivery is on exactly one manifest, of its own group', () => {
  const candidate = fc.record({
    provider: fc.constantFrom('p', 'q'),
    manifestGroup: fc.constantFrom('A', 'B'),
    dangerousGoods: fc.boolean(),
    apart: fc.boolean(),
    units: fc.integer({ min: 1, max: 9 }),
    maxUnits: fc.constantFrom(null, 10),
  })
  fc.assert(
    fc.property(fc.array(candidate), (given) => {
      const candidates = given.map((one, index) => ({ ...one, deliveryId: `${index}` }))
      const groups = manifestGroups(candidates)
      const placed = groups.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId))
      assert.deepEqual(placed.sort(), candidates.map(({ deliveryId }) => deliveryId).sort())
      for (const group of groups) {
        for (const one of group.deliveries) {
          assert.deepEqual([one.provider, one.manifestGroup], [group.provider, group.manifestGroup])
          assert.ok(isOfGoods(one, group))
          if (one.apart) assert.equal(one.dangerousGoods, group.dangerousGoods)
        }
      }
    }),
  )
})
