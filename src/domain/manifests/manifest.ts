/**
 * `submitting`: we are sending it to the carrier, or looking up whether the carrier has it. `on_hold`: only a
 * person can find out whether the carrier has it. `refused`: the carrier refused it, and its deliveries are
 * free again. `discarded`: a person ended it without the carrier, and its deliveries are free again.
 */
export const MANIFEST_STATES = [
  'draft',
  'submitting',
  'submitted',
  'on_hold',
  'refused',
  'discarded',
] as const
export type ManifestState = (typeof MANIFEST_STATES)[number]

/** Deliveries handed to one carrier together, and the result of the submission. */
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
  /** A request to the carrier that is unanswered so far (`sent`), or that got no response. */
  submissionState: 'sent' | 'unknown' | null
  /** A process is working on it now. */
  isLeased: boolean
  wantsSummary: boolean
  /** Number of deliveries, and of units in total, that we ask the carrier to accept. */
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
  /** The carrier's own reference, if it differs. */
  carrierRef: string | null
  units: number
  /** The carrier's order lists it as it was, but the delivery is no longer with that carrier. */
  movedToAnotherCarrier: boolean
  /** Why it cannot be submitted with this manifest, as the end of a sentence; only for drafts and refused manifests. */
  notEligible: string | null
  /** The carrier's article ids for its units, in order. */
  articleIds: readonly string[]
}
