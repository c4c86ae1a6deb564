import type { ManifestStatus } from './delivery.ts'
import type { Status } from './status.ts'

/** The meaning of a colour on every page: waiting, under way, done, a person is needed, returning. */
export type Hue = 'wait' | 'go' | 'done' | 'stop' | 'back'

/** Twelve icons that differ without colour; pages draw them. */
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
  hue: Hue
  shape: Shape
}

/** The only vocabulary of the store staff's pages; customers' words are in `tracking/status-labels.ts`. */
export const STATUS_WORDS: Readonly<Record<Status, StatusWords>> = {
  created: { clerk: 'New', hue: 'wait', shape: 'small-ring' },
  requested: { clerk: 'Waiting', hue: 'wait', shape: 'dashed-ring' },
  on_hold: { clerk: 'On hold', hue: 'stop', shape: 'diamond' },
  booked: { clerk: 'Booked', hue: 'go', shape: 'barred-ring' },
  assigned: { clerk: 'Courier named', hue: 'go', shape: 'half-ring' },
  approaching: { clerk: 'Courier near', hue: 'go', shape: 'chevrons' },
  collected: { clerk: 'On the road', hue: 'go', shape: 'disc-arrow' },
  delivered: { clerk: 'Delivered', hue: 'done', shape: 'disc-tick' },
  reassigned: { clerk: 'Moved', hue: 'back', shape: 'opposed-arrows' },
  pending_return: {
    clerk: 'Coming back',
    hue: 'back',
    shape: 'ring-left',
  },
  returned: { clerk: 'Returned', hue: 'back', shape: 'disc-left' },
  cancelled: { clerk: 'Cancelled', hue: 'wait', shape: 'struck-ring' },
}

export const MANIFEST_WORDS: Readonly<Record<ManifestStatus, string>> = {
  pending: 'Not on a manifest',
  ready: 'Ready for a manifest',
  manifested: 'On a manifest',
  not_required: 'No manifest needed',
}
