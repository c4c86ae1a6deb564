import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { type Delivery, deliveryJson } from './delivery.ts'
import { refuse } from './errors.ts'
import { readRequest } from './read-request.ts'
import { UpdateRequest } from './requests.ts'
import type { UberState } from './state.ts'

type Stage = 'before_pickup' | 'before_pickup_imminent' | 'before_dropoff_imminent'

/** Until when each field may be changed (Uber's table of update timings). */
const UNTIL: Readonly<Record<string, Stage>> = {
  manifest_reference: 'before_pickup_imminent',
  dropoff_latitude: 'before_pickup_imminent',
  dropoff_longitude: 'before_pickup_imminent',
  pickup_notes: 'before_pickup_imminent',
  pickup_verification: 'before_pickup',
  dropoff_notes: 'before_dropoff_imminent',
  dropoff_seller_notes: 'before_dropoff_imminent',
  dropoff_verification: 'before_dropoff_imminent',
}
/** Made up: the references say that there is a maximum, but not its value. */
const MAX_TIP_CENTS = 10_000

/** `POST …/deliveries/{id}`. */
export function updateDelivery(state: UberState, request: FakeRequest): FakeAnswer {
  const delivery = state.deliveries.get(request.params.deliveryId ?? '')
  if (!delivery) return refuse('delivery_not_found')
  const read = readRequest(request, UpdateRequest)
  if (!read.ok) return read.answer
  const { tip_by_customer, ...changes } = read.value

  const late = Object.keys(changes).filter((field) => !isOpen(delivery, UNTIL[field]))
  if (late.length > 0) {
    return refuse('invalid_params', {
      param_details: 'The provided fields cannot be updated in the current job state.',
    })
  }
  const refused = tip_by_customer === undefined ? null : tip(delivery, tip_by_customer)
  if (refused) return refused

  const { pickup, dropoff } = delivery
  pickup.notes = changes.pickup_notes ?? pickup.notes
  dropoff.notes = changes.dropoff_notes ?? dropoff.notes
  dropoff.sellerNotes = changes.dropoff_seller_notes ?? dropoff.sellerNotes
  // Only barcodes can be changed after creation.
  for (const [waypoint, required] of [
    [pickup, changes.pickup_verification],
    [dropoff, changes.dropoff_verification],
  ] as const) {
    if (required?.barcodes) waypoint.requirements.barcodes = required.barcodes
  }
  if (changes.manifest_reference !== undefined) {
    delivery.request.manifest_reference = changes.manifest_reference
  }
  const { dropoff_latitude: lat, dropoff_longitude: lng } = changes
  if (lat !== undefined && lng !== undefined) dropoff.address = { ...dropoff.address, place: { lat, lng } }

  delivery.updatedMs = state.server.clock.nowMs()
  state.server.ledger.write('delivery_updated', { delivery_id: delivery.id, fields: Object.keys(read.value) })
  return { status: 200, body: deliveryJson(delivery, delivery.updatedMs) }
}

function isOpen({ status, imminent }: Delivery, until: Stage | undefined): boolean {
  const early = status === 'pending' || (status === 'pickup' && !imminent)
  switch (until) {
    case undefined:
      return false
    case 'before_pickup_imminent':
      return early
    case 'before_pickup':
      return early || status === 'pickup'
    case 'before_dropoff_imminent':
      return (
        early || status === 'pickup' || ((status === 'pickup_complete' || status === 'dropoff') && !imminent)
      )
  }
}

function tip(delivery: Delivery, cents: number): FakeAnswer | null {
  if (delivery.status === 'canceled' || delivery.status === 'returned') return refuse('invalid_tipping_state')
  if (cents <= 0) return refuse('no_tip')
  if (cents > MAX_TIP_CENTS) return refuse('max_tip_exceeded')
  if (delivery.tipCents > 0) return refuse('tip_already_recorded_error')
  delivery.tipCents = cents
  delivery.feeCents += cents
  return null
}
