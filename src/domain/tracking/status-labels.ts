import type { Status } from '../delivery/status.ts'

/** The headline and the details. Whole sentences. */
export type StatusText = { headline: string; more: string | null }

type StatusFacts = { courier: string | null }
type Format = (facts: StatusFacts) => string

/** The text of each status for customers. They never see `created`. */
const TO_THE_DOOR: Readonly<Record<Status, Format>> = {
  created: () => 'We have your order.',
  requested: () => 'We have your order.',
  on_hold: () => 'We have your order.',
  booked: () => 'A courier is arranged.',
  assigned: ({ courier }) => `${courier ?? 'A courier'} will bring it.`,
  approaching: ({ courier }) => `${courier ?? 'The courier'} is at the store.`,
  collected: () => 'It is on its way.',
  delivered: () => 'It is delivered.',
  reassigned: () => 'A new courier is coming.',
  pending_return: () => 'It is on its way back to the store.',
  returned: () => 'It is back at the store.',
  cancelled: () => 'This delivery was cancelled.',
}

/** Under `customer_pickup` the direction is reversed: the courier collects the parcel from the customer. */
const FROM_THE_DOOR: Readonly<Record<Status, Format>> = {
  ...TO_THE_DOOR,
  requested: () => 'We know what to collect.',
  on_hold: () => 'We know what to collect.',
  assigned: ({ courier }) => `${courier ?? 'A courier'} will collect it from you.`,
  approaching: ({ courier }) => `${courier ?? 'The courier'} is at your door.`,
  collected: () => 'It is on its way to the store.',
  delivered: () => 'It has arrived at the store.',
  pending_return: () => 'It is on its way back to you.',
  returned: () => 'It was brought back to you.',
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
}): StatusText {
  const { status, reverse, courier } = facts
  const table = reverse ? FROM_THE_DOOR : TO_THE_DOOR
  const text = table[status]({ courier })
  const updates = status === 'delivered' ? null : updateText(facts.subStatus)
  const more = status === 'on_hold' ? 'The store is sorting something out.' : updates
  if (!facts.late) return { headline: text, more }
  return { headline: 'We are late.', more: more ?? text }
}

/** The courier's name for customers: the first name alone. */
export function toFirstName(name: string): string {
  return name.trim().split(/\s+/, 1)[0] ?? ''
}
