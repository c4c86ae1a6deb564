import type { RateZone } from '../../../src/domain/values.ts'

/** The zones of prices and days, as people call them. */
export const ZONE_NAMES: Readonly<Record<RateZone, string>> = {
  same_metro: 'Same city',
  same_state: 'Same state',
  interstate_capital: 'Interstate capitals',
  rest: 'Everywhere else',
}
