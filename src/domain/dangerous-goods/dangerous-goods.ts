import type { PackingGroup } from '../values.ts'

/** A parcel's dangerous goods with every field resolved: the definition's values, overridden by the request's. */
export type DangerousGoods = {
  definition: string
  unNumber: string
  technicalName: string
  classDivision: string
  subsidiaryRisk: string | null
  packingGroup: PackingGroup | null
  transportableByAir: boolean
  netWeightKg: number | null
  outerPackagingType: string
  outerPackagingQuantity: number | null
  declaration: string | null
}
