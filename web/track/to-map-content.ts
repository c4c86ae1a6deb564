import type { Tracking } from '../shared/api.generated.ts'
import { formatKm } from '../shared/format-km.ts'
import type { MapContent } from '../shared/map/map-card.tsx'

/** The map's marks: store, address and courier. Null once the delivery is cancelled. */
export function toMapContent(tracking: Tracking): MapContent | null {
  const { store, destination, courier, status, help } = tracking
  if (status === 'cancelled') return null
  const ends = [
    { ...store, kind: 'store', name: help.store },
    { lat: destination.lat, lng: destination.lng, kind: 'door', name: destination.suburb },
  ] as const
  if (!courier?.position) {
    return { marks: ends, line: ends, summary: `From ${help.store} and ${destination.suburb}, on a map.` }
  }
  const { lat, lng } = courier.position
  const away = courier.distance_km === undefined ? '' : ` is ${formatKm(courier.distance_km)} from you`
  const here = { lat, lng, kind: 'courier', name: courier.first_name } as const
  return {
    marks: [...ends, here],
    // The position is shown only while the courier is on the way to the customer, also to collect parcels there.
    line: [here, ends[1]],
    summary: `${courier.first_name}${away}, on the way to ${destination.suburb}.`,
  }
}
