import type { Status } from '../../src/domain/delivery/status.ts'
import type { RecordedRequest } from '../harness/client.ts'
import { namesOf, type Promises } from '../harness/promises.ts'
import type { SandboxBookings } from '../harness/sandbox-ledger.ts'
import { findIllegalSteps, isAtCarrier, type Step } from '../harness/timelines.ts'
import type { KillJob } from './jobs.ts'

export type FoundDelivery = {
  reference: string
  delivery_id: string
  status: Status
  status_reason: string | null
  special_instructions: string | null
  consignment_number: string | null
  pending_attempt: number | null
  dead_letter_reason: string | null
}

/** The evidence at the end of a run: the client's responses, the carriers' ledger, and our record. */
export type KillEvidence = {
  jobs: readonly KillJob[]
  history: readonly RecordedRequest[]
  /** Responses that no injected fault explains. */
  wrong: readonly string[]
  endedByThemselves: readonly string[]
  deliveries: readonly FoundDelivery[]
  bookings: SandboxBookings
  steps: readonly Step[]
}

/** Each promise and its check. */
export const PROMISES = {
  'acknowledged and kept': acknowledgedAndKept,
  'booked once': ({ bookings: { doubled } }) =>
    [...doubled].map(([reference, carrier]) => `${reference} was booked twice at once at ${carrier}`),
  'no orphaned booking': noOrphanedBooking,
  'every delivery ends': everyDeliveryEnds,
  'legal timelines': ({ steps }) => findIllegalSteps(steps),
  'answers as declared': answersAsDeclared,
} as const satisfies Promises<string, KillEvidence>

export type PromiseName = keyof typeof PROMISES
export const PROMISE_NAMES = namesOf(PROMISES)

/** Every create that returned 201 exists as it was ordered, and a cancellation that returned 200 stays cancelled. */
function acknowledgedAndKept({ jobs, history, deliveries }: KillEvidence): string[] {
  const found = new Map(deliveries.map((delivery) => [delivery.reference, delivery]))
  const ordered = new Map(jobs.map(({ reference, body }) => [reference, body.special_instructions]))
  return history.flatMap(({ operation, reference, outcome, id }) => {
    if (outcome !== 'ok') return []
    const delivery = found.get(reference)
    if (operation === 'cancel' && delivery?.status !== 'cancelled')
      return [`${reference}: its cancellation was answered 200; it is ${delivery?.status}`]
    if (operation !== 'create') return []
    const isKept = delivery?.delivery_id === id && delivery.special_instructions === ordered.get(reference)
    return isKept ? [] : [`${reference} was acknowledged and is lost or changed`]
  })
}

/** Every active booking is the one in our record, unless an attempt still waits for its response. */
function noOrphanedBooking({ deliveries, bookings }: KillEvidence): string[] {
  return deliveries.flatMap(({ reference, status, consignment_number, pending_attempt }) => {
    const active = bookings.active.get(reference) ?? new Set<string>()
    const isMissing = isAtCarrier(status) && !active.has(consignment_number ?? '')
    const orphans = pending_attempt === null ? [...active].filter((one) => one !== consignment_number) : []
    const isLeft = pending_attempt === null && !isAtCarrier(status) && active.size > 0
    return [
      ...(isMissing ? [`${reference} is ${status} and has no booking at a carrier`] : []),
      ...(orphans.length > 0 ? [`${reference} is ${status}; ${orphans} is active and unknown to us`] : []),
      ...(isLeft ? [`${reference} is ${status} and has a booking at a carrier`] : []),
    ]
  })
}

function everyDeliveryEnds({ deliveries }: KillEvidence): string[] {
  return deliveries.flatMap(({ reference, status, status_reason, dead_letter_reason }) => [
    ...(status === 'requested' || status === 'created'
      ? [`${reference} is still ${status}: ${status_reason}`]
      : []),
    ...(status === 'on_hold' && !status_reason ? [`${reference} is on hold without a reason`] : []),
    ...(dead_letter_reason ? [`${reference} was dead-lettered: ${dead_letter_reason}`] : []),
  ])
}

/** A create succeeds; a cancellation succeeds, or returns 409 because the delivery has a carrier. */
function answersAsDeclared({ history, wrong, endedByThemselves }: KillEvidence): string[] {
  const unexpected = history.flatMap(({ operation, reference, outcome, status, code }) => {
    const isExpected = outcome === 'ok' || (operation === 'cancel' && status === 409)
    return isExpected ? [] : [`${operation} ${reference}: ${status} ${code}`]
  })
  return [...wrong, ...unexpected, ...endedByThemselves]
}
