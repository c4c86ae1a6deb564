import type { Status } from '../delivery/status.ts'
import { isSupplyRefused } from '../own-network/job.ts'

export const MESSAGE_KINDS = ['sms', 'email'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/**
 * `sent`: the gateway or server accepted it. `failed`: rejected, or it may have been sent and must not be
 * sent twice. `expired`: it expired before it was sent. `no_channel`: no channel is configured, so it can only be
 * read. `suppressed`: the recipient should not get it.
 */
export const MESSAGE_STATUSES = ['queued', 'sent', 'failed', 'expired', 'no_channel', 'suppressed'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export const TEMPLATES = [
  'booked',
  'rebooked',
  'collected',
  'delivered',
  'supply_refused',
  'link',
  'driver_offer',
  'driver_code',
  'driver_note',
  'invitation',
  'password_reset',
  'courier_mail',
  'test',
] as const
export type Template = (typeof TEMPLATES)[number]

/** The statuses that we notify customers about when a delivery reaches them. */
export const NOTIFIED_STATUSES = ['booked', 'collected', 'delivered'] as const satisfies readonly Status[]
/**
 * The templates of those notifications; `rebooked` when the customer already knows of a booking. `supply_refused`: the
 * law forbade handing the goods over, and they go back.
 */
export const PROGRESS_TEMPLATES = [...NOTIFIED_STATUSES, 'rebooked', 'supply_refused'] as const
export type ProgressTemplate = (typeof PROGRESS_TEMPLATES)[number]

const HOUR_MS = 3_600_000

/** How long a message remains useful after its cause; a later one would only confuse its recipient. */
export const LIFE_MS: Readonly<Record<ProgressTemplate | 'link', number>> = {
  booked: 6 * HOUR_MS,
  rebooked: 6 * HOUR_MS,
  collected: 2 * HOUR_MS,
  delivered: 12 * HOUR_MS,
  supply_refused: 12 * HOUR_MS,
  link: 24 * HOUR_MS,
}

/** The statuses in which a message is still correct. A retry is sent only then. */
const STILL_CORRECT: Readonly<Record<ProgressTemplate, readonly Status[]>> = {
  booked: ['booked', 'assigned', 'approaching'],
  rebooked: ['booked', 'assigned', 'approaching'],
  collected: ['collected'],
  delivered: ['delivered'],
  supply_refused: ['pending_return', 'returned'],
}
/** A first attempt is sent even if the delivery has moved on, but never for a delivery that was cancelled. */
const CALLED_OFF: readonly Status[] = ['cancelled', 'on_hold', 'requested']

/** Whether a delivery in this status makes the message wrong. */
export function isOvertaken(template: ProgressTemplate, status: Status, attempts: number): boolean {
  return attempts === 0 ? CALLED_OFF.includes(status) : !STILL_CORRECT[template].includes(status)
}

/** The message to the customer when a delivery reaches this status for this reason; null: none. */
export function templateFor(status: string | null, subStatus: string | null): ProgressTemplate | null {
  const known = NOTIFIED_STATUSES.find((one) => one === status)
  if (known) return known
  return status === 'pending_return' && isSupplyRefused(subStatus) ? 'supply_refused' : null
}

/** Whether a message reports a delivery's progress to a customer. */
export function isProgressTemplate(template: string): template is ProgressTemplate {
  return PROGRESS_TEMPLATES.some((known) => known === template)
}
