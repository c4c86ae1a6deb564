import type { RateCard, SurchargeWhen } from '../../quoting/rate-card.ts'
import type { RateCardDocument } from '../document/document-rate-card.ts'
import { rangeOf } from '../validation/rate-card-mistakes.ts'

export function compileRateCard(card: RateCardDocument): RateCard {
  const zones = Object.entries(card.zones)
    .flatMap(([zone, codes]) => codes.map((code) => ({ ...rangeOf(code), zone })))
    .sort((one, other) => one.from - other.from)
  const byZone = Map.groupBy(card.rates, ({ zone }) => zone)
  const steps = [...byZone].map(
    ([zone, rates]) =>
      [
        zone,
        rates
          .map(({ up_to_kg, cents, cents_per_extra_kg }) => ({
            upToKg: up_to_kg,
            cents,
            centsPerExtraKg: cents_per_extra_kg ?? null,
          }))
          .sort((one, other) => one.upToKg - other.upToKg),
      ] as const,
  )
  return {
    zones,
    steps: new Map(steps),
    surcharges: card.surcharges.map(({ name, cents, percent, ...given }) => ({
      ...{ name, cents, percent },
      when: whenOf(given),
    })),
    cubicKgPerM3: card.cubic_kg_per_m3,
  }
}

function whenOf({
  when,
  over_kg,
  over_cm,
}: Pick<RateCardDocument['surcharges'][number], 'when' | 'over_kg' | 'over_cm'>): SurchargeWhen {
  if (over_kg !== undefined) return { kind: 'over_kg', limit: over_kg }
  if (over_cm !== undefined) return { kind: 'over_cm', limit: over_cm }
  return { kind: when }
}
