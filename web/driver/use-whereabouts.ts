import { useEffect, useSyncExternalStore } from 'react'
import type { Position } from '../../src/domain/geo/distance.ts'
import { post } from './post.ts'

const EVERY_MS = 20_000

/** A driver may be somewhere else after that. */
const FRESH_MS = 120_000

type Fix = { position: Position; atMs: number }
let fix: Fix | null = null
const listeners = new Set<() => void>()

/** The position, unless it is too old. */
export function freshPosition(fix: Fix | null, nowMs: number): Position | null {
  return fix && nowMs - fix.atMs <= FRESH_MS ? fix.position : null
}

function show(next: Fix | null): void {
  fix = next
  for (const listener of listeners) listener()
}

/** The phone's position, once it is known. */
export function useHere(): Position | null {
  return useSyncExternalStore((changed) => {
    listeners.add(changed)
    return () => listeners.delete(changed)
  }, hereNow)
}

/** The phone's position now, for a proof; null if it is unknown. */
export function hereNow(): Position | null {
  return freshPosition(fix, Date.now())
}

/** Sends the driver's position to the store and to waiting customers while the driver has jobs. */
export function useWhereabouts(working: boolean): void {
  useEffect(() => {
    if (!working || !navigator.geolocation) return
    let reportedMs = 0
    const watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        const position = { lat: coords.latitude, lng: coords.longitude }
        // A GPS fix may have the satellites' time, and the phone's clock may be wrong.
        show({ position, atMs: Date.now() })
        if (Date.now() - reportedMs < EVERY_MS) return
        reportedMs = Date.now()
        void post('/driver/location', {
          ...position,
          accuracy_m: Math.min(100_000, Math.round(coords.accuracy)),
          at: new Date(timestamp).toISOString(),
        })
      },
      // Drivers who do not share their position can work all the same.
      ({ code, PERMISSION_DENIED }) => {
        if (code === PERMISSION_DENIED) show(null)
      },
      { enableHighAccuracy: true, maximumAge: 10_000 },
    )
    return () => navigator.geolocation.clearWatch(watch)
  }, [working])
}
