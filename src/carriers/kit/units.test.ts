import assert from 'node:assert/strict'
import { test } from 'node:test'
import { battery, liveConsignment } from '../../../test/live-carriers.ts'
import type { ConsignmentParcel } from '../port/carrier.ts'
import { loadsOf, outerPackagesOf } from './units.ts'

const [anyParcel] = liveConsignment.parcels as [ConsignmentParcel]
/** Rows of one UN entry: parcels, and the outer packages declared for them. */
const CASES: [
  what: string,
  rows: [quantity: number, packages: number | null][],
  max: number,
  loads: number[],
][] = [
  ['each row its own', [[1, 2], [1, 3]], 20, [5]], // biome-ignore format: a table
  ['what is not told is one a parcel', [[3, null], [1, 4]], 20, [7]], // biome-ignore format: a table
  ['shared out over shipments', [[40, 10]], 20, [5, 5]], // biome-ignore format: a table
  ['a rest goes with the last', [[30, 7]], 20, [4, 3]], // biome-ignore format: a table
  ['none is less than one', [[2, 1]], 1, [1, 1]], // biome-ignore format: a table
]

for (const [what, rows, max, loads] of CASES) {
  test(`outer packages of dangerous goods: ${what}`, () => {
    const parcels = rows.map(([quantity, outerPackagingQuantity]) => ({
      ...anyParcel,
      quantity,
      dangerousGoods: { ...battery, outerPackagingQuantity },
    }))
    assert.deepEqual(loadsOf(parcels, max).map(outerPackagesOf), loads)
  })
}
