import { mayBeLeft } from '../../kit/delivery-instructions.ts'
import { cut, omitEmpty } from '../../kit/text.ts'
import type { Consignment, ConsignmentParcel, RateAsk, RateStop } from '../../port/carrier.ts'
import type { Settings } from './settings.ts'
import {
  ADULT,
  DROPOFF_WINDOW_MS,
  MINUTE_MS,
  NOTE_LENGTH,
  ORDINARY_PROOFS,
  PICKUP_NOTICE_MS,
  PICKUP_WINDOW_MS,
  SIZES,
} from './tables.ts'

/** Fields that a quote and a delivery have in common. */
type Journey = Pick<Consignment, 'readyAtMs' | 'storeReference' | 'declaredValueCents'> & {
  from: JourneyEnd
  to: JourneyEnd
}
type JourneyEnd = Pick<RateStop, 'address' | 'address2' | 'city' | 'state' | 'postCode' | 'country'> &
  Pick<RateStop, 'lat' | 'lng' | 'phone'>

/**
 * `POST /customers/{id}/delivery_quotes`: Uber decides how soon it could arrive, so no drop-off time is sent.
 */
export function formatQuote(ask: RateAsk, settings: Settings, nowMs: number) {
  const pickupReady = Math.max(ask.readyAtMs, nowMs)
  const pickupDeadline = Math.max(pickupReady + PICKUP_WINDOW_MS, nowMs + PICKUP_NOTICE_MS) + MINUTE_MS
  return {
    ...formatJourney(ask, settings),
    pickup_ready_dt: iso(pickupReady),
    pickup_deadline_dt: iso(pickupDeadline),
  }
}

function formatJourney(journey: Journey, settings: Settings) {
  const { from, to, declaredValueCents } = journey
  return {
    pickup_address: formatAddress(from),
    pickup_latitude: from.lat,
    pickup_longitude: from.lng,
    ...omitEmpty('pickup_phone_number', from.phone ?? settings.pickup_phone),
    dropoff_address: formatAddress(to),
    dropoff_latitude: to.lat,
    dropoff_longitude: to.lng,
    ...omitEmpty('dropoff_phone_number', to.phone ?? settings.pickup_phone),
    ...omitEmpty('manifest_total_value', declaredValueCents),
    external_store_id: journey.storeReference,
  }
}

/**
 * `POST /customers/{id}/deliveries`, without a quote. Our key is in it twice: Uber forgets `idempotency_key`
 * after an hour, and `external_id` finds the delivery later.
 */
export function formatDelivery(consignment: Consignment, settings: Settings, test: boolean) {
  const { from, to, key } = consignment
  return {
    ...formatJourney(consignment, settings),
    ...formatTimes(consignment),
    pickup_name: from.name,
    ...omitEmpty('pickup_business_name', from.company),
    ...omitEmpty('pickup_notes', cut(consignment.pickupInstructions, NOTE_LENGTH)),
    dropoff_name: to.name,
    ...omitEmpty('dropoff_business_name', to.company),
    ...omitEmpty('dropoff_notes', cut(consignment.specialInstructions, NOTE_LENGTH)),
    ...formatHandover(consignment, settings),
    undeliverable_action: 'return',
    return_verification: { picture: true },
    manifest_reference: consignment.reference,
    manifest_items: consignment.parcels.map(formatItem),
    external_id: key,
    idempotency_key: key,
    ...(test ? { test_specifications: { robo_courier_specification: { mode: 'auto' } } } : {}),
  }
}

/**
 * "Leave at door" takes a photo by default, and Uber refuses it together with a signature, a PIN or an ID
 * check.
 */
function formatHandover(consignment: Consignment, settings: Settings) {
  if (mayBeLeft(consignment)) return { deliverable_action: 'deliverable_action_leave_at_door' }
  const signature = { enabled: true, collect_signer_name: true, collect_signer_relationship: true }
  const body = {
    ...(consignment.signatureRequired ? { signature_requirement: signature } : {}),
    ...(consignment.idCheckRequired ? { identification: { min_age: ADULT } } : {}),
  }
  const proof = Object.keys(body).length > 0 ? body : ORDINARY_PROOFS[settings.handover_proof]
  return { deliverable_action: 'deliverable_action_meet_at_door', dropoff_verification: proof }
}

/** Uber's four times, each moved as little as its rules allow. */
function formatTimes({ readyAtMs, askedAtMs, window }: Consignment) {
  const pickupReady = Math.max(readyAtMs, askedAtMs)
  const dropoffReady = Math.max(window.fromMs, pickupReady)
  const pickupDeadline = Math.max(pickupReady + PICKUP_WINDOW_MS, askedAtMs + PICKUP_NOTICE_MS, dropoffReady)
  const dropoffDeadline = Math.max(window.toMs, dropoffReady + DROPOFF_WINDOW_MS, pickupDeadline)
  return {
    pickup_ready_dt: iso(pickupReady),
    // One minute of margin: some of the twenty minutes have passed when Uber reads the request.
    pickup_deadline_dt: iso(pickupDeadline + MINUTE_MS),
    // Omitted if the parcel may be delivered as soon as it is collected: Uber may reject even that time as
    // too early.
    ...(dropoffReady > pickupReady && { dropoff_ready_dt: iso(dropoffReady) }),
    dropoff_deadline_dt: iso(dropoffDeadline + MINUTE_MS),
  }
}

function formatItem(parcel: ConsignmentParcel) {
  return {
    name: `${parcel.reference} (${parcel.type})`,
    quantity: parcel.quantity,
    size: sizeOf(parcel),
    dimensions: {
      length: whole(parcel.lengthCm),
      height: whole(parcel.heightCm),
      depth: whole(parcel.widthCm),
    },
    weight: whole(parcel.weightKg * 1_000),
  }
}

function sizeOf({ lengthCm, widthCm, heightCm, weightKg }: ConsignmentParcel): string {
  const side = Math.max(lengthCm, widthCm, heightCm)
  return SIZES.find(({ sideCm, kg }) => side <= sideCm && weightKg <= kg)?.size ?? 'xlarge'
}

/** A JSON string: Uber parses it more reliably than one line of text. */
function formatAddress({ address, address2, city, state, postCode, country }: JourneyEnd): string {
  return JSON.stringify({
    // A quote may have no street; Uber doesn't read an address without one, so the city replaces it.
    street_address: [address ?? city, address2].filter(Boolean),
    city,
    state,
    zip_code: postCode,
    country,
  })
}

function whole(value: number): number {
  return Math.max(1, Math.ceil(value))
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
