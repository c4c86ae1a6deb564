import type { Store } from '../account/account.ts'
import type { Status } from '../delivery/status.ts'
import { renderSentence } from '../messages/message-templates.ts'
import type { TrackingTextName } from '../values.ts'

/** The headline and the details. Whole sentences. */
export type StatusText = { headline: string; more: string | null }

/** The sentence of each status for customers. They never see `created`. */
const TO_THE_DOOR: Readonly<Record<Status, TrackingTextName>> = {
  created: 'placed',
  requested: 'placed',
  on_hold: 'placed',
  booked: 'booked',
  assigned: 'assigned',
  approaching: 'approaching',
  collected: 'collected',
  delivered: 'delivered',
  reassigned: 'reassigned',
  pending_return: 'pending_return',
  returned: 'returned',
  cancelled: 'cancelled',
}

/** Under `customer_pickup` the direction is reversed: the courier collects the parcel from the customer. */
const FROM_THE_DOOR: Readonly<Record<Status, TrackingTextName>> = {
  ...TO_THE_DOOR,
  requested: 'pickup_placed',
  on_hold: 'pickup_placed',
  assigned: 'pickup_assigned',
  approaching: 'pickup_approaching',
  collected: 'pickup_collected',
  delivered: 'pickup_delivered',
  pending_return: 'pickup_pending_return',
  returned: 'pickup_returned',
}

const ADULT_NEEDED =
  'It could not be handed over. It may only be given to an adult who shows ID. It goes back to the store: call them for another delivery.'

/** Sub-statuses that help a customer; the others are only for the carrier and the store. */
const SUB_STATUS_TEXT: Readonly<Record<string, string>> = {
  attempted: 'The courier was at the door and could not hand it over. The store knows.',
  under_18: ADULT_NEEDED,
  no_id: ADULT_NEEDED,
  intoxicated: ADULT_NEEDED,
  delayed: 'The courier is held up.',
  damaged: 'Something happened to it on the way. The store knows.',
}

/** A sub-status in the customer's words; null when it is not for customers. */
export function updateText(subStatus: string | null): string | null {
  return subStatus === null ? null : (SUB_STATUS_TEXT[subStatus] ?? null)
}

export function headline(facts: {
  status: Status
  subStatus: string | null
  reverse: boolean
  courier: string | null
  late: boolean
  store: Pick<Store, 'name' | 'brand'>
}): StatusText {
  const { status, reverse, store } = facts
  const { brand } = store
  const courier = facts.courier ?? (status === 'approaching' ? 'The courier' : 'A courier')
  const name = (reverse ? FROM_THE_DOOR : TO_THE_DOOR)[status]
  const values = { brand: brand.name, store: store.name, courier }
  const text = renderSentence(name, brand.messageTexts, values)
  const updates = status === 'delivered' ? null : updateText(facts.subStatus)
  const more = status === 'on_hold' ? 'The store is sorting something out.' : updates
  if (!facts.late) return { headline: text, more }
  return { headline: 'We are late.', more: more ?? text }
}

/** The courier's name for customers: the first name alone. */
export function toFirstName(name: string): string {
  return name.trim().split(/\s+/, 1)[0] ?? ''
}
