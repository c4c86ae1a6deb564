import type { RouterHistory } from '@tanstack/react-router'
import { type Place, placeAfter } from './place.ts'

const HOME = '/portal/today'
let place: Place | null = null

/** Follows where one goes, from the first page on. */
export function followPlaces(history: RouterHistory): void {
  const look = () => {
    const { href, pathname, state } = history.location
    place = placeAfter(place, { href, pathname, index: state.__TSR_index })
  }
  look()
  history.subscribe(look)
}

/** Back to the list that one came from, as it was; to the day where one came from nowhere. */
export function goBack(history: RouterHistory): void {
  const back = place?.index ?? null
  if (back === null) history.push(place?.href ?? HOME)
  else history.go(back - history.location.state.__TSR_index)
}
