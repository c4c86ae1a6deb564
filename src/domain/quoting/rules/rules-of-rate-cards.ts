import { stepOf, zoneOf } from '../rate-card.ts'
import { chargeableUg, UG_PER_KG } from '../weight.ts'
import type { Rule } from './rule.ts'

/** A service does not carry what its courier's price list leaves out. */
export const rateCardRules: readonly Rule[] = [
  {
    name: 'service_area',
    refuses: ({ rateCard }, { destination }) =>
      rateCard !== null && zoneOf(rateCard, destination.postCode) === null,
    explain: ({ service }, { destination }) => `No zone of ${service} has postcode ${destination.postCode}.`,
  },
  {
    name: 'total_weight',
    refuses: ({ rateCard }, { destination, parcels }) => {
      const zone = rateCard && zoneOf(rateCard, destination.postCode)
      if (!rateCard || zone === null) return false
      return stepOf(rateCard, zone, chargeableUg(parcels, rateCard.cubicKgPerM3)) === null
    },
    explain: ({ service, rateCard }, { parcels }) =>
      `The parcels are charged as ${(chargeableUg(parcels, rateCard?.cubicKgPerM3 ?? null) / UG_PER_KG).toFixed(1)} kg; the price list of ${service} ends before.`,
  },
]
