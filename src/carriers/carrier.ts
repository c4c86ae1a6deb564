import type { Status } from '../domain/delivery/status.ts'
import type { ProductType } from '../domain/values.ts'

/**
 * One carrier as one account uses it. Required: what every carrier does. Optional: capabilities, asked by
 * presence. A carrier's failure is a value, never a throw.
 */
export type Carrier = {
  nature: Nature
  /** Asks for exactly one consignment under `consignment.key`. */
  book(consignment: Consignment): Promise<Outcome<Booking>>
  /** The booking made under our key, or null when the carrier knows of none. */
  find?(key: string): Promise<Outcome<Booking | null>>
  /** Yes: the carrier will not carry it. Asking again about a cancelled one is a yes too. */
  cancel?(consignmentNumber: string): Promise<Outcome<null>>
  /** News of consignments by polling, at most `batch` at a time. */
  track?: {
    batch: number
    everyMinutes: number
    poll(consignmentNumbers: readonly string[]): Promise<Outcome<News>>
  }
  /** News that the carrier sends us. Null: the signature is not the carrier's. */
  readWebhook?(request: { headers: Readonly<Record<string, string | undefined>>; body: Buffer }): News | null
  /** For carriers that take what they collect as one order. Their answer to a submit follows `nature` too. */
  manifest?: {
    /** Asks for exactly one order of these consignments under `order.key`. All or none of them. */
    submit(order: ManifestOrder): Promise<Outcome<Lodged>>
    /** The order made under our key, or null when the carrier knows of none. */
    find?(key: string): Promise<Outcome<Lodged | null>>
  }
  /** It makes a dangerous goods declaration of each consignment that holds any. */
  declares?: true
  /** When the carrier could be at the store, for `use_dynamic_RFP`. */
  availableFrom?(storeReference: string): Promise<Outcome<number>>
}

/**
 * What the carrier offers when an answer never came (safety.md section 0): the same key may be sent again;
 * or the booking can be found by our reference once it has settled; or only a person can tell.
 */
export type Nature = { kind: 'idempotency_key' } | { kind: 'look_up'; settleMs: number } | { kind: 'neither' }

export type Outcome<T> =
  | { kind: 'yes'; value: T }
  | { kind: 'no'; cure: Cure; said: string }
  | { kind: 'unknown'; said: string }

/** Who could still say yes after a no: another carrier, the same one later, or nobody without a change. */
export type Cure = 'another_carrier' | 'later' | 'nobody'

/** Our side of a booking. Directions are already the carrier's: `from` is where the parcels are. */
export type Consignment = {
  /** Ours and unique: the idempotency key where there is one, the reference to look up by elsewhere. */
  key: string
  deliveryId: string
  reference: string
  /** The merchant's own name of the store it belongs to. */
  storeReference: string
  /** When we first asked; the same when the key is sent again. */
  askedAtMs: number
  carrierCode: string
  from: Stop
  to: Stop
  readyAtMs: number
  window: { fromMs: number; toMs: number }
  parcels: readonly ConsignmentParcel[]
  authorityToLeave: boolean
  signatureRequired: boolean
  /** The person at the door must show that he is an adult. */
  idCheckRequired: boolean
  /** What the goods are, where that binds a courier. */
  productTypes: readonly ProductType[]
  declaredValueCents: number | null
  specialInstructions: string | null
  pickupInstructions: string | null
}

export type Stop = {
  name: string
  company: string | null
  phone: string | null
  email: string | null
  address: string
  address2: string | null
  city: string
  state: string
  postCode: string
  country: string
  lat: number
  lng: number
}

export type ConsignmentParcel = {
  reference: string
  type: string
  lengthCm: number
  widthCm: number
  heightCm: number
  weightKg: number
  quantity: number
  unNumber: string | null
}

export type Booking = {
  consignmentNumber: string
  /** Per parcel row, an id for every unit. */
  articles: readonly { parcelReference: string; articleIds: readonly string[] }[]
  costCents: number
}

/** What is handed over together: consignments that the carrier has booked. */
export type ManifestOrder = {
  /** Ours and unique: what the order is looked up by. */
  key: string
  group: string
  dangerousGoods: boolean
  consignmentNumbers: readonly string[]
}

/** An order as the carrier took it. `articles`: the ids that stand from now on, of each consignment it names. */
export type Lodged = {
  orderId: string
  costCents: number
  articles: ReadonlyMap<string, Booking['articles']>
}

/** `unreadable` counts events that were skipped: one odd event never loses the rest. */
export type News = { events: readonly CarrierEvent[]; unreadable: number }

export type CarrierEvent = {
  consignmentNumber: string
  /** The carrier's own id of the event, where it has one; the same id twice is one event. */
  eventId: string
  atMs: number
  /** Null: news that moves nothing. */
  status: Status | null
  subStatus: string | null
  said: string
}
