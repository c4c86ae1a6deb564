import { ZONES } from '../../../src/domain/values.ts'

/** One number of business days for all zones; of several, that of the farthest zone. */
export function toOneNumber(days: unknown): unknown {
  return isByZone(days) ? days.rest : days
}

/** The same number of business days for each zone. */
export function toEachZone(days: unknown): unknown {
  return isByZone(days) ? days : Object.fromEntries(ZONES.map((zone) => [zone, days]))
}

export function isByZone(days: unknown): days is Readonly<Record<string, unknown>> {
  return typeof days === 'object' && days !== null
}
