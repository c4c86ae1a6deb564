import type { Status } from '../delivery/status.ts'

export const MESSAGE_KINDS = ['sms', 'email'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/**
 * `sent`: taken by the gateway or server. `failed`: refused, or it may have been sent and must not be sent twice.
 * `expired`: its time passed first. `kept`: no channel is set, so it is only to be read. `suppressed`: not wished.
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

/** The deliveries' statuses that customers hear of, when a delivery reaches them. */
export const TOLD_STATUSES = ['booked', 'collected', 'delivered'] as const satisfies readonly Status[]
export type ToldStatus = (typeof TOLD_STATUSES)[number]
/** What they are told then; `rebooked` where they have heard of a booking before. */
export const TOLD_TEMPLATES = [...TOLD_STATUSES, 'rebooked'] as const
export type ToldTemplate = (typeof TOLD_TEMPLATES)[number]

const HOUR_MS = 3_600_000

/** How long after its cause a message still helps who gets it; later it would only confuse. */
export const LIFE_MS: Readonly<Record<ToldTemplate | 'link', number>> = {
  booked: 6 * HOUR_MS,
  rebooked: 6 * HOUR_MS,
  collected: 2 * HOUR_MS,
  delivered: 12 * HOUR_MS,
  link: 24 * HOUR_MS,
}

/** Where the news of a message still holds; what is tried again later is sent only then. */
const STILL_NEWS: Readonly<Record<ToldTemplate, readonly Status[]>> = {
  booked: ['booked', 'assigned', 'approaching'],
  rebooked: ['booked', 'assigned', 'approaching'],
  collected: ['collected'],
  delivered: ['delivered'],
}
/** A first try goes out also when the delivery has moved on meanwhile, but never for one that was called off. */
const CALLED_OFF: readonly Status[] = ['cancelled', 'on_hold', 'requested']

/** Whether a delivery that now has this status makes the message untrue. */
export function isOvertaken(template: ToldTemplate, status: Status, attempts: number): boolean {
  return attempts === 0 ? CALLED_OFF.includes(status) : !STILL_NEWS[template].includes(status)
}

/** Whether customers hear of a delivery that reaches this status. */
export function isTold(status: string | null): status is ToldStatus {
  return TOLD_STATUSES.some((told) => told === status)
}

/** Whether a message tells a customer how far a delivery is. */
export function tellsProgress(template: string): template is ToldTemplate {
  return TOLD_TEMPLATES.some((told) => told === template)
}
