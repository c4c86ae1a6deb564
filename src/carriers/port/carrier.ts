import type { DangerousGoods } from '../../domain/dangerous-goods/dangerous-goods.ts'
import type { Status } from '../../domain/delivery/status.ts'
import type { CarrierRate } from '../../domain/quoting/carrier-rate.ts'
import type { ProductType } from '../../domain/values.ts'

/**
 * One carrier as one account uses it. Required members: what every carrier does. Optional members:
 * capabilities, tested by presence. A carrier's failure is a value, never a throw. A booking is named by its
 * `carrierRef` if it has one, otherwise by its consignment number.
 */
export type Carrier = {
  recovery: BookingRecovery
  /** The cheapest request that needs our credentials. Yes: a sentence on our account with the carrier. */
  check?(): Promise<Outcome<string>>
  /**
   * The carrier's current prices for a job, by service code. A service that it doesn't list can't take the
   * job.
   */
  rates?(ask: RateAsk): Promise<Outcome<readonly CarrierRate[]>>
  /** Books exactly one consignment under `consignment.key`. */
  book(consignment: Consignment): Promise<Outcome<Booking>>
  /**
   * Looks up the booking made under our key; null if the carrier doesn't know it. We didn't request it before
   * `sinceMs`.
   */
  find?(key: string, consignment: Consignment, sinceMs: number): Promise<Outcome<Booking | null>>
  /** Yes: the carrier won't deliver it. Cancelling a cancelled booking is a yes too. */
  cancel?(ref: string): Promise<Outcome<null>>
  /** The carrier's own labels; for a carrier without them we make the labels. */
  label?: {
    formats: readonly LabelFormat[]
    /** All labels of one booking as one document. A no with `retryLater`: the carrier is still making them. */
    fetch(ref: string, format: LabelFormat): Promise<Outcome<Buffer>>
  }
  /** Tracking by polling, at most `batch` consignments at a time. */
  track?: {
    batch: number
    everyMinutes: number
    /**
     * The carrier's rate limit, shared by all our processes. Polls over the limit wait, and urgent ones go
     * first.
     */
    budget?: { name: string; max: number; perMs: number }
    /** How many of `batch` a booking uses; one if absent. */
    idsOf?(ref: string): number
    poll(refs: readonly string[]): Promise<Outcome<CarrierUpdates>>
  }
  /** Tracking events of a webhook from the carrier. Null: the signature is wrong. */
  readWebhook?(request: {
    headers: Readonly<Record<string, string | undefined>>
    body: Buffer
  }): CarrierUpdates | null
  /** For carriers that authenticate their webhooks by OAuth with us. Null: the client isn't the carrier. */
  grantToken?(request: { headers: Readonly<Record<string, string | undefined>>; body: Buffer }): {
    access_token: string
    expires_in: number
  } | null
  /** For carriers that take a whole pickup as one order. `recovery` also covers their answer to a submit. */
  manifest?: {
    /** The most physical parcels that one order holds; unlimited if absent. */
    maxUnits?: number
    /** Whether an order accepts this booking's ref; absent: any. It may reject a number that a person typed in. */
    acceptsRef?(ref: string): boolean
    /** Submits exactly one order of these consignments under `order.key`: all of them or nothing. */
    submit(order: ManifestOrder): Promise<Outcome<Lodged>>
    /** Looks up the order made under our key; null if the carrier doesn't know it. */
    find?(key: string, order: ManifestOrder): Promise<Outcome<Lodged | null>>
    /** The carrier's own summary of an order, as PDF. */
    summary?(orderId: string): Promise<Outcome<Buffer>>
  }
  /** Proofs of delivery of a delivered booking; empty: the driver took no proof, or not yet. */
  proofs?(ref: string): Promise<Outcome<CourierProofs>>
  /** The carrier reports no status itself: its staff or ours enter the status. */
  reportedManually?: true
  /** Its staff open a pickup page at a capability URL of ours, which is valid until `number` changes. */
  pickup?: { number: number }
  /** It makes a dangerous goods declaration of each consignment that holds any. */
  declares?: true
  /**
   * When its next driver or run can be at the store for parcels that are ready at `readyMs`, for
   * `use_dynamic_RFP`.
   */
  availableFrom?(storeReference: string, readyMs: number): Promise<Outcome<number>>
}

/**
 * How to recover when the carrier didn't answer: retry with the same idempotency key; or look up the booking
 * by our reference, once it has settled; or ask a person (docs/decisions/0027-unknown-booking-outcomes.md).
 */
export type BookingRecovery =
  /**
   * `livesMs`: how long the key is valid after its first use; after that we look up the booking as well as we
   * can. `isReadByPeople`: people compare the keys. A repeat is safe, but if it is refused, the outcome of the first
   * request is still unknown.
   */
  | { kind: 'idempotency_key'; livesMs?: number; isReadByPeople?: true }
  | { kind: 'look_up'; settleMs: number }
  | { kind: 'neither' }

/** Whether only the carrier's staff can say if they have a request that got no answer. */
export function isReadByPeople(recovery: BookingRecovery): boolean {
  return recovery.kind === 'idempotency_key' && recovery.isReadByPeople === true
}

export type Outcome<T> =
  | { kind: 'yes'; value: T }
  | { kind: 'no'; retry: RetryAdvice; message: string }
  /**
   * `ifRepeated`: the carrier refused a create with an error that it doesn't document, so the booking may exist. A
   * second refusal of that kind, or a look-up that finds none, is a no with this advice.
   */
  | { kind: 'unknown'; message: string; ifRepeated?: RetryAdvice }

/**
 * Who could still say yes after a no: another carrier, the same one later, or nobody until the job changes.
 */
export type RetryAdvice = 'another_carrier' | 'later' | 'nobody'

export type LabelFormat = 'pdf' | 'zpl'

/**
 * A job to price. `from` and `to` are the carrier's directions; a quote may lack names, phones and streets.
 */
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
  /**
   * Idempotency key: ours and unique. For carriers without idempotency keys it is the reference to look up
   * by.
   */
  key: string
  deliveryId: string
  reference: string
  /** The merchant's own name of the delivery's store. */
  storeReference: string
  /** When we first sent the booking; the same when we resend the key. */
  askedAtMs: number
  carrierCode: string
  from: Stop
  to: Stop
  readyAtMs: number
  window: { fromMs: number; toMs: number }
  parcels: readonly ConsignmentParcel[]
  authorityToLeave: boolean
  signatureRequired: boolean
  /** The recipient must prove that they are an adult. */
  idCheckRequired: boolean
  /** What the goods are, for couriers with rules about them. */
  productTypes: readonly ProductType[]
  declaredValueCents: number | null
  /** The price that the account expects: from its rate card, or the carrier's own quote. */
  ratedCents: number
  specialInstructions: string | null
  pickupInstructions: string | null
  /** The carrier's quote that the price comes from, while it is valid. */
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
  /** The number that people read and that labels show. */
  consignmentNumber: string
  /** The carrier's own id of the booking in its API, if it differs. */
  carrierRef?: string
  /** Per parcel row, an id for every unit. */
  articles: readonly { parcelReference: string; articleIds: readonly string[] }[]
  /** Incl. GST. For a carrier that returns no price at booking: `ratedCents` of the consignment. */
  costCents: number
}

/** Consignments that the carrier has booked and that it collects together. */
export type ManifestOrder = {
  /** Ours and unique: the order is looked up by it. */
  key: string
  group: string
  dangerousGoods: boolean
  refs: readonly string[]
}

/**
 * An order as the carrier accepted it. `articles`: the new article ids of each booking that it names, by ref.
 */
export type Lodged = {
  orderId: string
  costCents: number
  articles: ReadonlyMap<string, Booking['articles']>
}

/** `unreadable` counts skipped events: one invalid event never loses the rest. */
export type CarrierUpdates = {
  events: readonly CarrierEvent[]
  /** Current driver positions, from carriers that report them. */
  positions?: readonly CourierPosition[]
  /**
   * Reconciliation: complete bookings under our own keys. They resolve a booking whose outcome is unknown.
   */
  bookings?: readonly BookingNotice[]
  unreadable: number
}

export type BookingNotice = {
  key: string
  /** The ref of the booking. */
  consignmentNumber: string
  /** The booking as a look-up would have returned it. */
  toBooking(consignment: Pick<Consignment, 'key' | 'deliveryId' | 'parcels'>): Booking
}

export type CourierPosition = {
  /** The ref of the booking. */
  consignmentNumber: string
  atMs: number
  lat: number
  lng: number
  courierName: string | null
}

/** `missing`: there are more proofs, but they could not be downloaded this time. */
export type CourierProofs = { proofs: readonly CourierProof[]; missing: boolean }

export type CourierProof = {
  kind: 'photo' | 'signature' | 'pin'
  signedBy: string | null
  /** The picture as received; null if this kind of proof has no picture. */
  image: Buffer | null
}

export type CarrierEvent = {
  /** The ref of the booking. */
  consignmentNumber: string
  /** The carrier's own id of the event, if it has one; the same id twice is one event. */
  eventId: string
  atMs: number
  /** Null: the event changes no status. */
  status: Status | null
  subStatus: string | null
  message: string
  /** With `cancelled`: the carrier itself cancelled the booking, so another carrier may have it. */
  carrierReleased?: true
  /**
   * Snapshot of the current status, polled in case a webhook was lost: no event if we already know that
   * status.
   */
  isSnapshot?: true
}
