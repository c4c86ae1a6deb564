import { formatWindowAt } from '../domain/calendar/format-window-at.ts'
import { getWindowZone } from '../domain/calendar/window-zone.ts'
import { findState } from '../domain/geo/states.ts'

/** The place of a delivery window, as the API returns it. */
export type WindowPlace = {
  mode?: string | undefined
  state?: string | undefined
  postCode?: string | undefined
}

/**
 * `Tue 24 Nov, 8 am – 6 pm, Darwin time`: the window by the clock of the place where the parcels go. The API writes its
 * times with the store's offset, so a place whose clock differs from it is named.
 */
export function windowWords(
  from: string | undefined,
  to: string | undefined,
  place: WindowPlace = {},
): string {
  if (!from || !to) return ''
  const store = from.slice(19)
  const state = findState(place.state ?? '')
  const door = state && { state, postCode: place.postCode ?? '' }
  const zone = door ? getWindowZone({ mode: place.mode, door, store }) : store
  return formatWindowAt(
    { fromMs: Date.parse(from), toMs: Date.parse(to) },
    { zone, reader: store, nowMs: 0 },
    'dated',
  )
}

/** `2026-11-24T14:00:00+11:00` → `Tue 24 Nov 14:00`. */
export function instantWords(text: string): string {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`).toLocaleDateString('en-AU', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  return `${day.replace(',', '')} ${text.slice(11, 16)}`
}
