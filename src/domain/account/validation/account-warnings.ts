import type { Issue } from '../../errors.ts'
import { distanceKm } from '../../geo/distance.ts'
import { entries, numberField } from './loose.ts'
import { messageTextWarnings } from './message-text-mistakes.ts'
import { pathText } from './mistake.ts'
import { locateStore } from './place-mistakes.ts'

/** Something in a document that is accepted and is probably not meant. `field`: its path, `stores[0].latitude`. */
export type AccountWarning = Pick<Issue, 'field' | 'message'>

/** Farther than a suburb and its surroundings reach, apart from a few in the outback. */
const MAX_OFF_KM = 50

/** Every warning about a document that has no mistakes. */
export function accountWarnings(document: unknown): AccountWarning[] {
  return [...storeWarnings(document), ...messageTextWarnings(document)]
}

function storeWarnings(document: unknown): AccountWarning[] {
  return entries(document, 'stores').flatMap(({ value: store, path }) => {
    const found = locateStore(store)
    if (found === null || 'message' in found) return []
    const at = (...steps: string[]): string => pathText([...path, ...steps])
    const place = ['the middle of', found.suburb, found.postCode].filter(Boolean).join(' ')
    const warnings: AccountWarning[] = []
    if (found.warning !== null) warnings.push({ field: at('address', 'city'), message: found.warning })
    const [lat, lng] = [numberField(store, 'latitude'), numberField(store, 'longitude')]
    if (lat === undefined || lng === undefined) {
      const message = `The store has no latitude or longitude, so we measure distances from ${place}. Add both for exact distances.`
      return [...warnings, { field: at('latitude'), message }]
    }
    const km = distanceKm({ lat, lng }, found)
    if (km <= MAX_OFF_KM) return warnings
    const message = `The position ${lat}, ${lng} is ${Math.round(km)} km from ${place}. Correct the latitude and longitude, or leave both out.`
    return [...warnings, { field: at('latitude'), message }]
  })
}
