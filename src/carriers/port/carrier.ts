import type { DangerousGoods } from '../../domain/dangerous-goods/dangerous-goods.ts'
import type { Status } from '../../domain/delivery/status.ts'
import type { CarrierRate } from '../../domain/quoting/carrier-rate.ts'
import type { ProductType } from '../../domain/values.ts'

/**
 * One carrier as one account uses it. Required: what every carrier does. Optional: capabilities, asked by
 * presence. A carrier's failure is a value, never a throw. A booking is named by its `carrierRef` where it has
 * one, else by its consignment number.
 */
export type Carrier = {
  nature: Nature
  /** The cheapest question that needs our sign-in. Yes: a sentence on what we are to them. */
  check?(): Promise<Outcome<string>>
  /** What it would ask for a job now, by the codes of its services. One it does not name cannot take the job. */
  rates?(ask: RateAsk): Promise<Outcome<readonly CarrierRate[]>>
  /** Asks for exactly one consignment under `consignment.key`. */
  book(consignment: Consignment): Promise<Outcome<Booking>>
  /** The booking made under our key, or null when the carrier knows of none. It was not asked for before `sinceMs`. */
  find?(key: string, asked: Consignment, sinceMs: number): Promise<Outcome<Booking | null>>
  /** Yes: the carrier will not carry it. Asking again about a cancelled one is a yes too. */
  cancel?(ref: string): Promise<Outcome<null>>
  /** The labels it makes itself; a carrier without gets ours. */
  label?: {
    formats: readonly LabelFormat[]
    /** All labels of one booking as one document. No, later: it is still being made. */
    fetch(ref: string, format: LabelFormat): Promise<Outcome<Buffer>>
  }
  /** News of consignments by polling, at most `batch` at a time. */
  track?: {
    batch: number
    everyMinutes: number
    /** Its limit, of all our processes together. What is over it waits for its turn, the urgent first. */
    budget?: { name: string; most: number; perMs: number }
    /** How many of `batch` a booking takes; one unless it says. */
    idsOf?(ref: string): number
    poll(refs: readonly string[]): Promise<Outcome<News>>
  }
  /** News that the carrier sends us. Null: the signature is not the carrier's. */
  readWebhook?(request: { headers: Readonly<Record<string, string | undefined>>; body: Buffer }): News | null
  /** For carriers that sign their webhooks in by OAuth with us. Null: it is not the carrier who asks. */
  grantToken?(request: { headers: Readonly<Record<string, string | undefined>>; body: Buffer }): {
    access_token: string
    expires_in: number
  } | null
  /** For carriers that take what they collect as one order. Their answer to a submit follows `nature` too. */
  manifest?: {
    /** What one order takes at most, in physical parcels; any number unless it says. */
    mostUnits?: number
    /** Asks for exactly one order of these consignments under `order.key`. All or none of them. */
    submit(order: ManifestOrder): Promise<Outcome<Lodged>>
    /** The order made under our key, or null when the carrier knows of none. */
    find?(key: string, asked: ManifestOrder): Promise<Outcome<Lodged | null>>
    /** Its own summary of an order, as PDF. */
    summary?(orderId: string): Promise<Outcome<Buffer>>
  }
  /** What its courier brought from the door of a booking that is delivered; none: nothing, or not yet. */
  proofs?(ref: string): Promise<Outcome<CourierProofs>>
  /** It tells nothing by itself: its people or ours say how far a delivery is. */
  toldByHand?: true
  /** Its people fetch what they have to carry at an address of ours, which holds until the number is another. */
  pickup?: { number: number }
  /** It makes a dangerous goods declaration of each consignment that holds any. */
  declares?: true
  /** When its next driver or run is at the store for parcels that are ready at `readyMs`, for `use_dynamic_RFP`. */
  availableFrom?(storeReference: string, readyMs: number): Promise<Outcome<number>>
}

/**
 * What the carrier offers when an answer never came (safety.md section 0): the same key may be sent again;
 * or the booking can be found by our reference once it has settled; or only a person can tell.
 */
export type Nature =
  /** `livesMs`: how long after it was first used; later the booking is looked up as well as it can be. */
  { kind: 'idempotency_key'; livesMs?: number } | { kind: 'look_up'; settleMs: number } | { kind: 'neither' }

export type Outcome<T> =
  | { kind: 'yes'; value: T }
  | { kind: 'no'; cure: Cure; said: string }
  | { kind: 'unknown'; said: string }

/** Who could still say yes after a no: another carrier, the same one later, or nobody without a change. */
export type Cure = 'another_carrier' | 'later' | 'nobody'

export type LabelFormat = 'pdf' | 'zpl'

/** A job to be priced. Directions are the carrier's; a quote may come without names, phones and streets. */
export type RateAsk = {
  carrierCodes: readonly string[]
  storeReference: string
  from: RateStop
  to: RateStop
  readyAtMs: number
  parcels: readonly ConsignmentParcel[]
  declaredValueCents: number | null
  productTypes: readonly ProductType[]
  signatureRequired: boolean
  idCheckRequired: boolean
}

export type RateStop = Pick<Stop, 'city' | 'state' | 'postCode' | 'country' | 'lat' | 'lng'> & {
  address: string | null
  address2: string | null
  phone: string | null
  business: boolean
}

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
  /** What the account reckons it to cost: its rate card, or the carrier's own price. */
  ratedCents: number
  specialInstructions: string | null
  pickupInstructions: string | null
  /** The carrier's own quote that the price comes from, while it is good. */
  quoteId: string | null
  items: readonly { name: string; quantity: number; priceCents: number }[]
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
  dangerousGoods: DangerousGoods | null
}

export type Booking = {
  /** As people and labels name it. */
  consignmentNumber: string
  /** As the carrier's interface names it, where that is something else. */
  carrierRef?: string
  /** Per parcel row, an id for every unit. */
  articles: readonly { parcelReference: string; articleIds: readonly string[] }[]
  /** With GST. Of a carrier that tells no price at booking: `ratedCents` of the consignment. */
  costCents: number
}

/** What is handed over together: consignments that the carrier has booked. */
export type ManifestOrder = {
  /** Ours and unique: what the order is looked up by. */
  key: string
  group: string
  dangerousGoods: boolean
  refs: readonly string[]
}

/** An order as the carrier took it. `articles`: the ids that stand from now on, of each booking it names by ref. */
export type Lodged = {
  orderId: string
  costCents: number
  articles: ReadonlyMap<string, Booking['articles']>
}

/** `unreadable` counts events that were skipped: one odd event never loses the rest. */
export type News = {
  events: readonly CarrierEvent[]
  /** Where couriers are just now, of carriers that say so. */
  positions?: readonly CourierPosition[]
  /** Bookings under our own key, told of whole: such news answers what a booking without an answer left open. */
  bookings?: readonly ToldBooking[]
  unreadable: number
}

export type ToldBooking = {
  key: string
  /** The ref of the booking. */
  consignmentNumber: string
  /** As a look-up would have answered. */
  as(asked: Consignment): Booking
}

export type CourierPosition = {
  /** The ref of the booking. */
  consignmentNumber: string
  atMs: number
  lat: number
  lng: number
  courierName: string | null
}

/** `missing`: there is more that could not be fetched for now. */
export type CourierProofs = { proofs: readonly CourierProof[]; missing: boolean }

export type CourierProof = {
  kind: 'photo' | 'signature' | 'pin'
  signedBy: string | null
  /** A picture as it came; null where this kind has none. */
  image: Buffer | null
}

export type CarrierEvent = {
  /** The ref of the booking. */
  consignmentNumber: string
  /** The carrier's own id of the event, where it has one; the same id twice is one event. */
  eventId: string
  atMs: number
  /** Null: news that moves nothing. */
  status: Status | null
  subStatus: string | null
  said: string
  /** With `cancelled`: it was the carrier who gave it up, so that another may have it. */
  letGo?: true
  /** How things stand, asked for in case that news was lost: it is none where they are known to stand so. */
  standing?: true
}
