import { isFinal } from '../../../src/domain/delivery/status.ts'
import { type Hue, STATUS_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import { STRANDED } from '../../../src/domain/delivery/tracking-updates.ts'
import type { Delivery, StoreService } from '../../shared/api.generated.ts'
import type { GlyphShape } from '../../shared/glyph.tsx'
import { formatDuration } from '../../shared/times.ts'
import { isToManifest } from '../delivery/actions.ts'
import { formatLeftBehind } from '../format-parcels.ts'

export const GROUPS = ['needs', 'hand_over', 'waiting', 'road', 'done'] as const
export type Group = (typeof GROUPS)[number]

/** The judgement of one delivery: its group, mark and status, and for those that need attention the reason. */
export type Classification = {
  group: Group
  hue: Hue
  shape: GlyphShape
  word: string
  /** The cause in bold, and the remedy. */
  cause: string | null
  remedy: string | null
  /** The deadline; the earliest comes first. */
  deadlineMs: number
}

/** How long before a cut-off a clerk is warned. */
export const CLOSING_MS = 60 * 60_000

/**
 * Checks, in this order: booked twice, on hold, returned, given up, late, closing, cancellation pending; otherwise
 * the status decides the group. Without services there are no cut-offs: the day has one line for each carrier for
 * that.
 */
export function classify(
  delivery: Delivery,
  services: readonly StoreService[],
  nowMs: number,
): Classification {
  const { status } = delivery
  const { clerk, hue, shape } = STATUS_WORDS[status]
  const plain = { hue, shape, word: clerk, cause: null, remedy: null, deadlineMs: deadlineOf(delivery) }
  if (delivery.attention) {
    const alsoHeld = status === 'on_hold' ? ` ${delivery.status_reason ?? ''}` : ''
    return {
      ...plain,
      group: 'needs',
      ...ALARM,
      word: 'Booked twice',
      cause: 'A carrier has an extra booking.',
      remedy: `${delivery.attention}${alsoHeld}`,
    }
  }
  if (delivery.left_behind && LEFT_OPEN.includes(GROUP_OF[status])) {
    const cause = `${formatLeftBehind(delivery)} stayed at the store.`
    const remedy = 'Create a new delivery for what was left behind.'
    return { ...plain, group: 'needs', ...ALARM, word: 'Left behind', cause, remedy }
  }
  if (status === 'on_hold') {
    const word = delivery.pending_cancellation ? 'To be cancelled' : clerk
    const { status_reason: cause = 'No reason was given.', status_remedy: remedy = null } = delivery
    return { ...plain, group: 'needs', word, cause, remedy }
  }
  if (status === 'returned') {
    return {
      ...plain,
      group: 'needs',
      cause: 'The delivery came back to the store.',
      remedy: 'Ask the customer what they want to do.',
    }
  }
  if (delivery.sub_status === STRANDED && !isFinal(status)) {
    const cause = 'The carrier can’t complete this delivery.'
    return {
      ...plain,
      group: 'needs',
      ...ALARM,
      word: 'Stranded',
      cause,
      remedy: 'Ring the carrier and ask where the parcels are.',
    }
  }
  const late = lateBy(delivery, nowMs)
  if (late !== null) {
    const cause = `The delivery window ended ${formatDuration(late)} ago.`
    return { ...plain, group: 'needs', ...ALARM, word: 'Late', cause, remedy: delivery.status_reason ?? null }
  }
  const closes = closingMs(delivery, services)
  if (closes !== null && closes >= nowMs && closes - nowMs <= CLOSING_MS) {
    const cause = `${delivery.service_code} closes in ${formatDuration(closes - nowMs)}.`
    const remedy = 'This delivery isn’t on a manifest yet.'
    return { ...plain, group: 'needs', ...ALARM, word: 'Closing', cause, remedy, deadlineMs: closes }
  }
  if (delivery.address_warning && GROUP_OF[status] !== 'road' && GROUP_OF[status] !== 'done') {
    const cause = delivery.address_warning
    const remedy =
      'Ask the customer for the right address. Then amend the delivery, or hand it over as it is.'
    return { ...plain, group: 'needs', word: 'Address to check', cause, remedy }
  }
  if (delivery.pending_cancellation) return { ...plain, ...BACK, group: GROUP_OF[status], word: 'Cancelling' }
  if (status === 'requested' && delivery.staff_courier)
    return { ...plain, group: 'hand_over', word: 'Courier asked' }
  return { ...plain, group: GROUP_OF[status] }
}

/** Whether a part that stayed at the store still has to be sent: not if the rest came back, or if nothing is sent. */
const LEFT_OPEN: readonly Group[] = ['road', 'done']

const ALARM = { hue: 'stop', shape: 'triangle' } as const
const BACK = { hue: 'back', shape: 'opposed-arrows' } as const

const GROUP_OF: Readonly<Record<Delivery['status'], Group>> = {
  created: 'waiting',
  requested: 'waiting',
  on_hold: 'needs',
  booked: 'hand_over',
  assigned: 'hand_over',
  approaching: 'hand_over',
  reassigned: 'hand_over',
  collected: 'road',
  pending_return: 'road',
  delivered: 'done',
  returned: 'needs',
  cancelled: 'done',
}

/** How long past the end of its window, or null if it is in time or over. */
export function lateBy({ status, to_datetime }: Delivery, nowMs: number): number | null {
  if (to_datetime === undefined || isFinal(status) || status === 'pending_return') return null
  const late = nowMs - Date.parse(to_datetime)
  return late > 0 ? late : null
}

/** Its service's cut-off today, if it can still be manifested and is ready by then. */
export function closingMs(delivery: Delivery, services: readonly StoreService[]): number | null {
  if (!isToManifest(delivery)) return null
  const closes = services.find(({ carrier_code }) => carrier_code === delivery.carrier_code)?.closes_at
  if (closes === undefined || Date.parse(delivery.ready_for_pickup_at) > Date.parse(closes)) return null
  return Date.parse(closes)
}

function deadlineOf({ to_datetime, ready_for_pickup_at }: Delivery): number {
  return Date.parse(to_datetime ?? ready_for_pickup_at)
}
