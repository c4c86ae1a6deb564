import { useEffect, useSyncExternalStore } from 'react'
import type { Position } from '../../src/domain/geo/distance.ts'
import { post } from './post.ts'

const EVERY_MS = 20_000

let here: Position | null = null
const listeners = new Set<() => void>()

/** The phone's position, once it is known. */
export function useHere(): Position | null {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => here,
  )
}

/** The phone's position now, for a proof; null if it is unknown. */
export function hereNow(): Position | null {
  return here
}

/** Sends the driver's position to the store and to waiting customers while the driver has jobs. */
export function useWhereabouts(working: boolean): void {
  useEffect(() => {
    if (!working || !navigator.geolocation) return
    let reportedMs = 0
    const watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        here = { lat: coords.latitude, lng: coords.longitude }
        for (const listener of listeners) listener()
        if (Date.now() - reportedMs < EVERY_MS) return
        reportedMs = Date.now()
        void post('/driver/location', {
          ...here,
          accuracy_m: Math.min(100_000, Math.round(coords.accuracy)),
          at: new Date(timestamp).toISOString(),
        })
      },
      // Drivers who do not share their position can work all the same.
      () => {},
      { enableHighAccuracy: true, maximumAge: 10_000 },
    )
    return () => navigator.geolocation.clearWatch(watch)
  }, [working])
}
