import type { RouterHistory } from '@tanstack/react-router'
import { type Place, placeAfter } from './place.ts'

const HOME = '/portal/today'
let place: Place | null = null

/** Follows the user's navigation, from the first page on. */
export function followNavigation(history: RouterHistory): void {
  const look = () => {
    const { href, pathname, state } = history.location
    place = placeAfter(place, { href, pathname, index: state.__TSR_index })
  }
  look()
  history.subscribe(look)
}

/** Back to the list that the user came from, in its last state; without one, to the day. */
export function goBack(history: RouterHistory): void {
  const back = place?.index ?? null
  if (back === null) history.push(place?.href ?? HOME)
  else history.go(back - history.location.state.__TSR_index)
}
