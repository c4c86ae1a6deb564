import { DAY_FROM_MS } from '../plan.ts'
import { MOVING } from '../verify-day.ts'

/** One stop of the day's clock. */
type Moment = {
  atMs: number
  /** The time of the next stop: events until then happen at this one. */
  untilMs: number
  /** Stores make their manifests. */
  handOver: boolean
  /** The clock waits while a delivery is in one of these statuses and still gets updates. */
  awaited: readonly string[] | null
  /** Until then, parcels that nobody accepted have returned to their sender. */
  broughtBack: boolean
}

const HOUR_MS = 3_600_000
type Stop = Partial<Pick<Moment, 'handOver' | 'awaited' | 'broughtBack'>>

/** Hours from midnight before the day, in Melbourne. */
const STOPS: readonly (readonly [hour: number, stop: Stop])[] = [
  ...Array.from({ length: 8 }, (_, index) => [7 + index, {}] as const),
  // The couriers' vans collect at 3 pm, the post's at 6 pm; Perth is three hours behind.
  [15, { handOver: true }],
  [16, {}],
  [17, {}],
  [18, { handOver: true }],
  [19, {}],
  [20, { handOver: true }],
  // Hour by hour until the last is ready: a jump across the night would book it long after its deadline.
  ...[21, 22, 23, 24].map((hour) => [hour, {}] as const),
  // Deliveries that were ready too late yesterday.
  [24 + 8, {}],
  [24 + 12, { handOver: true }],
  [24 + 16, { handOver: true }],
  [24 + 20, { handOver: true }],
  [48 + 8, { awaited: ['requested', 'booked'] }],
  [72 + 12, {}],
  [96 + 12, { awaited: MOVING.filter((status) => status !== 'pending_return') }],
  [120 + 12, { broughtBack: true, awaited: MOVING }],
  ...[14, 16, 18].map((hour) => [120 + hour, { awaited: MOVING }] as const),
]

const MIDNIGHT_MS = DAY_FROM_MS - 7 * HOUR_MS

export const MOMENTS: readonly Moment[] = STOPS.map(([hour, stop], index) => ({
  atMs: MIDNIGHT_MS + hour * HOUR_MS,
  untilMs: MIDNIGHT_MS + (STOPS[index + 1]?.[0] ?? hour) * HOUR_MS,
  handOver: false,
  awaited: null,
  broughtBack: false,
  ...stop,
}))
