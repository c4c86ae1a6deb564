import { HUBS, stepsOf } from './journeys.ts'
import type { Item, Scan, Shipment } from './state.ts'

/** An item's events up to now, newest first, and its status. */
export function updatesOf(
  shipment: Shipment,
  item: Pick<Item, 'scans'>,
  nowMs: number,
): { events: Scan[]; status: string } {
  const events = [...plannedOf(shipment), ...item.scans]
    .filter(({ atMs }) => atMs <= nowMs)
    // Of two at one moment, the one recorded later is the newer.
    .reverse()
    .sort((one, other) => other.atMs - one.atMs)
  return { events, status: events.find(({ status }) => status !== null)?.status ?? 'Created' }
}

/** How many items are in each status. */
export function trackingSummary(shipments: readonly Shipment[], nowMs: number): Record<string, number> {
  const summary: Record<string, number> = {}
  for (const shipment of shipments) {
    for (const item of shipment.items) {
      const { status } = updatesOf(shipment, item, nowMs)
      summary[status] = (summary[status] ?? 0) + 1
    }
  }
  return summary
}

/** The journey starts with the order; before it the network only knows that the parcel exists. */
function plannedOf({ createdMs, orderedMs, journey, from, to }: Shipment): Scan[] {
  const known: Scan = {
    atMs: createdMs,
    description: 'Shipping information received by Australia Post',
    status: 'Created',
    location: null,
  }
  if (orderedMs === null) return [known]
  const hub = HUBS[from.state] ?? null
  const places = {
    from: `${from.suburb} ${from.state}`.toUpperCase(),
    to: `${to.suburb} ${to.state}`.toUpperCase(),
    hub,
  }
  const steps = stepsOf(journey).map(({ afterHours, description, status, at }) => ({
    atMs: orderedMs + afterHours * 3_600_000,
    description,
    status,
    location: at === undefined ? null : places[at],
  }))
  return [known, ...steps]
}
