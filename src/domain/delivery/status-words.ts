import type { DeliveryMode } from '../values.ts'
import type { ManifestStatus } from './delivery.ts'
import type { Status } from './status.ts'

/** What a colour means on every page: waiting, under way, done, a person is needed, coming back. */
export type Hue = 'wait' | 'go' | 'done' | 'stop' | 'back'

/** Twelve marks that are told apart without colour; pages draw them. */
export type Shape =
  | 'small-ring'
  | 'dashed-ring'
  | 'diamond'
  | 'barred-ring'
  | 'half-ring'
  | 'chevrons'
  | 'disc-arrow'
  | 'disc-tick'
  | 'opposed-arrows'
  | 'ring-left'
  | 'disc-left'
  | 'struck-ring'

export type StatusWords = {
  /** What store staff read. */
  clerk: string
  /** What the customer reads; `{courier}` stands for a first name. Null: never shown. */
  customer: string | null
  hue: Hue
  shape: Shape
}

/** The one vocabulary of all faces. */
export const STATUS_WORDS: Readonly<Record<Status, StatusWords>> = {
  created: { clerk: 'New', customer: null, hue: 'wait', shape: 'small-ring' },
  requested: { clerk: 'Waiting', customer: 'We have your order', hue: 'wait', shape: 'dashed-ring' },
  on_hold: { clerk: 'On hold', customer: 'We have your order', hue: 'stop', shape: 'diamond' },
  booked: { clerk: 'Booked', customer: 'Courier arranged', hue: 'go', shape: 'barred-ring' },
  assigned: { clerk: 'Courier named', customer: '{courier} will bring it', hue: 'go', shape: 'half-ring' },
  approaching: { clerk: 'Courier near', customer: '{courier} is at the store', hue: 'go', shape: 'chevrons' },
  collected: { clerk: 'On the road', customer: 'On the road', hue: 'go', shape: 'disc-arrow' },
  delivered: { clerk: 'Delivered', customer: 'Delivered', hue: 'done', shape: 'disc-tick' },
  reassigned: { clerk: 'Moved', customer: 'A new courier is coming', hue: 'back', shape: 'opposed-arrows' },
  pending_return: {
    clerk: 'Coming back',
    customer: 'On its way back to the store',
    hue: 'back',
    shape: 'ring-left',
  },
  returned: { clerk: 'Returned', customer: 'Back at the store', hue: 'back', shape: 'disc-left' },
  cancelled: { clerk: 'Cancelled', customer: 'Cancelled', hue: 'wait', shape: 'struck-ring' },
}

/** Where a courier fetches from the customer, the way round is the other. */
const PICKUP_WORDS: Partial<Record<Status, string>> = {
  assigned: '{courier} will fetch it',
  approaching: '{courier} is at your door',
  collected: 'On its way to the store',
  delivered: 'Arrived at the store',
}

/** The customer's words, with the courier's first name, or "Your courier" where it is not known. */
export function customerWords(
  status: Status,
  { mode, courier }: { mode: DeliveryMode; courier: string | null },
): string | null {
  const words = (mode === 'customer_pickup' && PICKUP_WORDS[status]) || STATUS_WORDS[status].customer
  return words?.replace('{courier}', courier ?? 'Your courier') ?? null
}

export const MANIFEST_WORDS: Readonly<Record<ManifestStatus, string>> = {
  pending: 'Not on a manifest',
  ready: 'Ready for one',
  manifested: 'On a manifest',
  not_required: 'Needs none',
}
