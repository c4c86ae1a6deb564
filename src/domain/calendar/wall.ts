import type { Window } from '../values.ts'
import type { Wall, WallWindow } from './format-window.ts'
import { localDay, minuteOfDay, type Zone } from './zone.ts'

/** The wall clock of a zone at a moment, epoch milliseconds. */
export function wallOf(zone: Zone, epochMs: number): Wall {
  return { day: localDay(zone, epochMs), minute: minuteOfDay(zone, epochMs) }
}

export function wallWindow(zone: Zone, { fromMs, toMs }: Window): WallWindow {
  return { from: wallOf(zone, fromMs), to: wallOf(zone, toMs) }
}
