import type { Clock } from '../clock.ts'
import type { FakeServer } from '../fake.ts'
import type { Ledger } from '../ledger.ts'
import { type Account, FIRST_ACCOUNTS } from './accounts.ts'
import type { Fields } from './fields.ts'
import { drawIds, type Ids } from './ids.ts'
import type { JourneyName } from './journeys.ts'
import type { Sheet } from './layouts.ts'
import type { ItemCost, Measures, ShipmentCost } from './prices.ts'
import type { Product } from './products.ts'

export type Party = {
  name: string
  businessName: string | null
  lines: readonly string[]
  suburb: string
  state: string
  postcode: string
  /** As received, to return it unchanged. */
  fields: Fields
}

export type Tracking = { articleId: string; consignmentId: string; barcodeId: string | null }

/** A caller's item, parsed and valid. */
export type ItemDraft = {
  /** Set for an item that already exists. */
  itemId: string | null
  reference: string | null
  description: string | null
  product: Product
  measures: Measures
  packagingType: string | null
  authorityToLeave: boolean
  allowPartialDelivery: boolean
  safeDropEnabled: boolean
  dangerousGoods: boolean
  features: Fields | null
  coverDollars: number
  tracking: Tracking | null
}

export type ShipmentDraft = {
  reference: string | null
  senderReferences: readonly string[]
  emailTracking: boolean
  movementType: string
  despatchDate: string | null
  from: Party
  to: Party
  dangerousGoods: Fields | null
  items: readonly ItemDraft[]
}

export type Item = Omit<ItemDraft, 'itemId' | 'tracking'> & {
  itemId: string
  tracking: Tracking
  /** The caller supplied the ids, and prints the label. */
  ownTracking: boolean
  cost: ItemCost
  /** Of the latest label. */
  labelRequestId: string | null
  /** Events added by hand, in addition to those of the shipment's journey. */
  scans: Scan[]
}

export type Scan = {
  atMs: number
  description: string | null
  status: string | null
  location: string | null
}

export type Shipment = Omit<ShipmentDraft, 'items'> & {
  shipmentId: string
  accountNumber: string
  createdMs: number
  modifiedMs: number
  items: Item[]
  cost: ShipmentCost
  orderId: string | null
  orderedMs: number | null
  /** Being finalised in an order: no request may change it. */
  inProgress: boolean
  journey: JourneyName
}

export type Order = {
  orderId: string
  accountNumber: string
  reference: string | null
  consignor: string | null
  createdMs: number
  shipments: readonly Shipment[]
}

export type LabelRequest = {
  requestId: string
  accountNumber: string
  format: 'PDF' | 'ZPL'
  layout: Sheet
  offsetMm: { left: number; top: number }
  requestedMs: number
  readyMs: number
  failed: boolean
  /** Null until the link is first returned. */
  urlMadeMs: number | null
  shipments: readonly { shipment: Shipment; items: readonly Item[] }[]
}

/** The carrier's whole state, in memory. */
export type State = {
  clock: Clock
  ledger: Ledger
  url(): string
  ids: Ids
  accounts: Map<string, Account>
  shipments: Map<string, Shipment>
  orders: Map<string, Order>
  labels: Map<string, LabelRequest>
  /** Article, consignment or barcode id → its shipment. */
  tracked: Map<string, Shipment>
  /** Rate limit: by API key, the times of tracking requests in the last minute. */
  trackedAt: Map<string, number[]>
  labelWork: { pendingSeconds: number; failNext: number; beforeOrder: boolean }
  /** How long until a new shipment can be found by its references. */
  listedAfterMs: number
}

export function newState({ clock, ledger, url }: FakeServer): State {
  return {
    clock,
    ledger,
    url,
    ids: drawIds(),
    accounts: new Map(FIRST_ACCOUNTS.map((account) => [account.accountNumber, account])),
    shipments: new Map(),
    orders: new Map(),
    labels: new Map(),
    tracked: new Map(),
    trackedAt: new Map(),
    labelWork: { pendingSeconds: 0, failNext: 0, beforeOrder: false },
    listedAfterMs: 0,
  }
}
