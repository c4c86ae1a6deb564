import type { Delivery } from '../../shared/api.generated.ts'
import type { RailBar } from '../../shared/day-rail.tsx'
import { type Classification, lateBy } from '../today/classify.ts'

/** A delivery as a bar on the rail of its day. */
export function toBar(delivery: Delivery, { hue }: Pick<Classification, 'hue'>, nowMs: number): RailBar {
  const { from_datetime, to_datetime, ready_for_pickup_at, status, updated_at } = delivery
  const known = from_datetime && to_datetime && status !== 'on_hold'
  return {
    hue,
    readyMs: Date.parse(ready_for_pickup_at),
    window: known ? { fromMs: Date.parse(from_datetime), toMs: Date.parse(to_datetime) } : null,
    kind: kindOf(delivery, nowMs),
    nowMs,
    doneMs: status === 'delivered' ? Date.parse(updated_at) : null,
  }
}

function kindOf(delivery: Delivery, nowMs: number): RailBar['kind'] {
  if (lateBy(delivery, nowMs) !== null) return 'late'
  if (['requested', 'created', 'on_hold', 'cancelled'].includes(delivery.status)) return 'guess'
  return ['collected', 'delivered', 'pending_return'].includes(delivery.status) ? 'full' : 'promised'
}
