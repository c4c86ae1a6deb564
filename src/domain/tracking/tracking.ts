import type { Store } from '../account/account.ts'
import type { Delivery, DeliveryEvent } from '../delivery/delivery.ts'
import type { Status } from '../delivery/status.ts'
import { handoverTerms } from '../delivery/terms.ts'
import { distanceKm, type Position } from '../geo/distance.ts'
import { listLeftBehind, parcelsOnTheWay } from '../own-network/left-behind.ts'
import { headline, type StatusText, updateText } from './status-labels.ts'

/** The courier's last known position. Account time. */
export type CourierPlace = Position & {
  atMs: number
  /** Stops that the same courier makes before this one. */
  stopsBefore: number
}

export type TrackingFacts = {
  delivery: Delivery
  /** Oldest first. */
  events: readonly DeliveryEvent[]
  store: Position & Pick<Store, 'name' | 'brand'>
  courier: { firstName: string; place: CourierPlace | null } | null
  proof: { left: ProofPlace | null; photo: boolean; atMs: number } | null
  nowMs: number
}

export const PROOF_PLACES = ['at_door', 'with_person'] as const
export type ProofPlace = (typeof PROOF_PLACES)[number]

export type StepName = 'ready' | 'collected' | 'on_the_road' | 'arrived'
export type Step = { name: StepName; state: 'done' | 'now' | 'ahead'; atMs: number | null }

/** Privacy of the tracking page: what a customer may know of a delivery. The page shows nothing that is not here. */
export type Tracking = {
  reference: string
  status: Status
  message: StatusText
  late: boolean
  /** Null unless the courier's position is known and this is their next stop. */
  likelyMs: number | null
  steps: Step[]
  /** The history in the customer's words, oldest first. */
  history: { atMs: number; text: string }[]
  courier: { firstName: string; position: (Position & { atMs: number }) | null; km: number | null } | null
  authorityToLeave: boolean
  note: string | null
  /** The parcels on the way. */
  parcels: number
  /** The parcels that stayed at the pickup. */
  parcelsLater: number
  delivered: { atMs: number; left: ProofPlace | null; photo: boolean } | null
}

export function toTracking(facts: TrackingFacts): Tracking {
  const { delivery, nowMs, proof } = facts
  const { content, window } = delivery
  const status = delivery.status === 'created' ? 'requested' : delivery.status
  const courier = toCourier(facts)
  const atMs = (to: Status) => facts.events.findLast((event) => event.to === to)?.atMs ?? null
  const late = window !== null && nowMs > window.toMs && UNDER_WAY.includes(status)
  const likelyMs = toLikelyArrivalMs(facts, courier?.km ?? null)
  const deliveredMs = status === 'delivered' ? (atMs('delivered') ?? delivery.updatedAtMs) : null
  return {
    reference: delivery.reference,
    status,
    message: headline({
      status,
      subStatus: delivery.subStatus,
      reverse: content.deliveryMode === 'customer_pickup',
      courier: courier?.firstName ?? null,
      late,
      store: facts.store,
    }),
    late,
    likelyMs,
    steps: toSteps(facts, status, atMs),
    history: toHistory(facts),
    courier,
    authorityToLeave: handoverTerms(content).authorityToLeave,
    note: content.specialInstructions,
    parcels: countUnits(parcelsOnTheWay(content.parcels, delivery.articles)),
    parcelsLater: countUnits(listLeftBehind(content.parcels, delivery.articles)),
    delivered:
      deliveredMs === null
        ? null
        : {
            atMs: deliveredMs,
            left: proof?.left ?? null,
            photo: proof?.photo === true && proof.left === 'at_door',
          },
  }
}

function countUnits(parcels: readonly { quantity: number }[]): number {
  return parcels.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** Each update that helps a customer, once. Leaves out the courier's name: it may be another courier now. */
function toHistory({ delivery, events, store }: TrackingFacts): Tracking['history'] {
  const reverse = delivery.content.deliveryMode === 'customer_pickup'
  const history = events.flatMap(({ atMs, to, subStatus }) => {
    const updates = updateText(subStatus)
    if (updates) return [{ atMs, text: updates }]
    if (to === null) return []
    return [
      {
        atMs,
        text: headline({ status: to, subStatus: null, reverse, courier: null, late: false, store }).headline,
      },
    ]
  })
  return history.filter(({ text }, index) => text !== history[index - 1]?.text)
}

/** Statuses in which a window can be missed. */
const UNDER_WAY: readonly Status[] = [
  'requested',
  'on_hold',
  'booked',
  'assigned',
  'approaching',
  'collected',
  'reassigned',
]

/** Statuses in which the customer may see the courier, and in which the courier is on the way to the customer. */
const NAMED: readonly Status[] = ['assigned', 'approaching', 'collected']
/** An older position says nothing about where the courier is. */
const FRESH_MS = 10 * 60_000

function toCourier({ delivery, courier, nowMs }: TrackingFacts): Tracking['courier'] {
  if (!courier || !NAMED.includes(delivery.status)) return null
  const { place, firstName } = courier
  const shown = place && place.stopsBefore === 0 && nowMs - place.atMs <= FRESH_MS && isComing(delivery)
  if (!shown) return { firstName, position: null, km: null }
  const { lat, lng, atMs } = place
  return { firstName, position: { lat, lng, atMs }, km: distanceKm(place, delivery.content.destination) }
}

/**
 * A customer sees the courier's position only while the courier is on the way to them and makes no other stop first:
 * before that, and after a failed attempt, the courier may be with another customer.
 */
function isComing(delivery: Delivery): boolean {
  const { status, content } = delivery
  if (content.deliveryMode === 'customer_pickup') return status === 'approaching'
  return status === 'collected' && !hasFailed(delivery)
}

/** Sub-statuses of a failed attempt at the door, or of parcels that cannot be delivered as they are. */
const FAILED: ReadonlySet<string> = new Set([
  'attempted',
  'refused',
  'damaged',
  'lost',
  'held',
  'undeliverable',
  'under_18',
  'no_id',
  'intoxicated',
  'leaking',
  'not_safe_to_carry',
])

/** Door to door in a town, with traffic: 20 km/h. */
const MS_PER_KM = 3 * 60_000
const AT_THE_DOOR_MS = 2 * 60_000

/** After a failed attempt the time of the next one is unknown. */
function hasFailed({ subStatus }: Delivery): boolean {
  return subStatus !== null && FAILED.has(subStatus)
}

/** When the courier will probably arrive: only while their position is known and this is their next stop. */
function toLikelyArrivalMs({ delivery, courier, nowMs }: TrackingFacts, km: number | null): number | null {
  if (km === null || !courier?.place || courier.place.stopsBefore > 0 || hasFailed(delivery)) return null
  if (delivery.content.deliveryMode === 'customer_pickup') return null
  const arrivesMs = courier.place.atMs + AT_THE_DOOR_MS + km * MS_PER_KM
  return Math.ceil(Math.max(arrivesMs, nowMs + 60_000) / 60_000) * 60_000
}

const ORDER: readonly StepName[] = ['ready', 'collected', 'on_the_road', 'arrived']
/** How many of the steps are complete. */
const PASSED: Partial<Record<Status, number>> = {
  collected: 2,
  delivered: 4,
  pending_return: 2,
  returned: 2,
}

function toSteps(
  { delivery, nowMs }: TrackingFacts,
  status: Status,
  atMs: (to: Status) => number | null,
): Step[] {
  if (status === 'cancelled') return []
  const isReady = delivery.readyForPickupAtMs <= nowMs
  const passed = PASSED[status] ?? (isReady && status !== 'requested' && status !== 'on_hold' ? 1 : 0)
  const times: Record<StepName, number | null> = {
    ready: isReady ? delivery.readyForPickupAtMs : null,
    collected: atMs('collected'),
    on_the_road: null,
    arrived: atMs('delivered'),
  }
  const comesBack = status === 'pending_return' || status === 'returned'
  return ORDER.slice(0, comesBack ? 2 : 4).map((name, index) => ({
    name,
    state: index < passed ? 'done' : index === passed ? 'now' : 'ahead',
    atMs: index < passed ? times[name] : null,
  }))
}
