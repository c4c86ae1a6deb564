import type { Tracking } from '../shared/api.generated.ts'
import { formatKm } from '../shared/format-km.ts'
import type { MapContent } from '../shared/map/map-card.tsx'

/** The map's marks: store, address and courier. Null once the delivery is cancelled. */
export function toMapContent(tracking: Tracking): MapContent | null {
  const { store, destination, courier, status, help, delivery_mode } = tracking
  if (status === 'cancelled') return null
  const ends = [
    { ...store, kind: 'store', name: help.store },
    { lat: destination.lat, lng: destination.lng, kind: 'door', name: destination.suburb },
  ] as const
  const to = delivery_mode === 'customer_pickup' ? help.store : destination.suburb
  if (!courier?.position) {
    return { marks: ends, line: ends, summary: `From ${help.store} and ${destination.suburb}, on a map.` }
  }
  const { lat, lng } = courier.position
  const away = courier.distance_km === undefined ? '' : ` is ${formatKm(courier.distance_km)} from you`
  const here = { lat, lng, kind: 'courier', name: courier.first_name } as const
  const target = delivery_mode === 'customer_pickup' ? ends[0] : ends[1]
  return {
    marks: [...ends, here],
    line: [here, target],
    summary: `${courier.first_name}${away}, on the way to ${to}.`,
  }
}
