import type { Status } from '../delivery/status.ts'

export const MESSAGE_KINDS = ['sms', 'email'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/**
 * `sent`: the gateway or server accepted it. `failed`: rejected, or it may have been sent and must not be
 * sent twice. `expired`: it expired before it was sent. `kept`: no channel is configured, so it can only be
 * read. `suppressed`: the recipient should not get it.
 */
export const MESSAGE_STATUSES = ['queued', 'sent', 'failed', 'expired', 'kept', 'suppressed'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export const TEMPLATES = [
  'booked',
  'rebooked',
  'collected',
  'delivered',
  'link',
  'driver_offer',
  'driver_code',
  'driver_note',
  'invitation',
  'password_reset',
  'courier_mail',
] as const
export type Template = (typeof TEMPLATES)[number]

/** The statuses that we notify customers about when a delivery reaches them. */
export const TOLD_STATUSES = ['booked', 'collected', 'delivered'] as const satisfies readonly Status[]
export type ToldStatus = (typeof TOLD_STATUSES)[number]
/** The templates of those notifications; `rebooked` when the customer already knows of a booking. */
export const TOLD_TEMPLATES = [...TOLD_STATUSES, 'rebooked'] as const
export type ToldTemplate = (typeof TOLD_TEMPLATES)[number]

const HOUR_MS = 3_600_000

/** How long a message remains useful after its cause; a later one would only confuse its recipient. */
export const LIFE_MS: Readonly<Record<ToldTemplate | 'link', number>> = {
  booked: 6 * HOUR_MS,
  rebooked: 6 * HOUR_MS,
  collected: 2 * HOUR_MS,
  delivered: 12 * HOUR_MS,
  link: 24 * HOUR_MS,
}

/** The statuses in which a message is still correct. A retry is sent only then. */
const STILL_NEWS: Readonly<Record<ToldTemplate, readonly Status[]>> = {
  booked: ['booked', 'assigned', 'approaching'],
  rebooked: ['booked', 'assigned', 'approaching'],
  collected: ['collected'],
  delivered: ['delivered'],
}
/** A first attempt is sent even if the delivery has moved on, but never for a delivery that was called off. */
const CALLED_OFF: readonly Status[] = ['cancelled', 'on_hold', 'requested']

/** Whether a delivery in this status makes the message wrong. */
export function isOvertaken(template: ToldTemplate, status: Status, attempts: number): boolean {
  return attempts === 0 ? CALLED_OFF.includes(status) : !STILL_NEWS[template].includes(status)
}

/** Whether customers are notified when a delivery reaches this status. */
export function isTold(status: string | null): status is ToldStatus {
  return TOLD_STATUSES.some((told) => told === status)
}

/** Whether a message reports a delivery's progress to a customer. */
export function tellsProgress(template: string): template is ToldTemplate {
  return TOLD_TEMPLATES.some((told) => told === template)
}
