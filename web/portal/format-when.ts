import { formatWindowAt } from '../../src/domain/calendar/format-window-at.ts'
import { getWindowZone } from '../../src/domain/calendar/window-zone.ts'
import { findState } from '../../src/domain/geo/states.ts'
import type { Delivery } from '../shared/api.generated.ts'

/** The fields that decide the time zone of a window: of a delivery, or of a request that is being typed. */
type Ends = { delivery_mode?: string; address: { state?: string; post_code?: string } }
type Times = { from_datetime: string; to_datetime: string }

/** When a delivery comes, as far as it is known. `zone` is its store's, whose staff read it. */
export function formatWhen(delivery: Delivery, zone: string, nowMs: number): string {
  const { from_datetime, to_datetime, status } = delivery
  if (!from_datetime || !to_datetime || !isWindowKnown(delivery)) return 'Not known'
  const words = windowSayer(delivery, zone, nowMs)({ from_datetime, to_datetime })
  return status === 'requested' ? `about ${words}` : words
}

/** A delivery on hold keeps its last window, which no carrier has promised. */
export function isWindowKnown({ from_datetime, to_datetime, status }: Delivery): boolean {
  return from_datetime !== undefined && to_datetime !== undefined && status !== 'on_hold'
}

/** Formats windows of one delivery in the time zone of its address, which is named if the store's differs. */
export function windowSayer(ends: Ends, zone: string, nowMs: number): (times: Times) => string {
  const clocks = { zone: doorClock(ends, zone), reader: zone, nowMs }
  return ({ from_datetime, to_datetime }) =>
    formatWindowAt({ fromMs: Date.parse(from_datetime), toMs: Date.parse(to_datetime) }, clocks, 'short')
}

/** The time zone of the window; the store's while the address has no state yet. */
export function doorClock({ delivery_mode, address }: Ends, store: string): string {
  const state = findState(address.state ?? '')
  if (state === undefined) return store
  return getWindowZone({ mode: delivery_mode, door: { state, postCode: address.post_code ?? '' }, store })
}
