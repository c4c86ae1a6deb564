/**
 * `submitting`: the carrier is being asked, or its answer looked for. `on_hold`: nobody but a person can tell whether
 * it has it. `refused`: it said no, and the deliveries are free again.
 */
export const MANIFEST_STATES = ['draft', 'submitting', 'submitted', 'on_hold', 'refused'] as const
export type ManifestState = (typeof MANIFEST_STATES)[number]

/** What is handed to one carrier together, and what became of it. */
export type Manifest = {
  accountId: string
  id: string
  storeId: string
  provider: string
  carrierName: string
  group: string
  /** Whether any of its consignments is dangerous. */
  dangerousGoods: boolean
  state: ManifestState
  stateReason: string | null
  wantsSummary: boolean
  /** How many deliveries, and how many units in all, as the carrier is asked to take them. */
  deliveries: number
  items: number
  accountVersion: number
  /** The carrier's own id of the order, once submitted. */
  orderId: string | null
  /** The carrier's cost, once submitted. */
  costCents: number | null
  createdAtMs: number
  updatedAtMs: number
  submittedAtMs: number | null
}

/** One delivery on a manifest. */
export type ManifestDelivery = {
  manifestId: string
  deliveryId: string
  reference: string
  consignmentNumber: string
  /** What the carrier's interface calls it, where that is something else. */
  carrierRef: string | null
  units: number
  /** The carrier's order names it as it was, and the delivery is not with that carrier any more. */
  goneElsewhere: boolean
  /** The carrier's ids of its units, in order. */
  articleIds: readonly string[]
}
