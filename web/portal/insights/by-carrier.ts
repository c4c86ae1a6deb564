import { OWN } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'

type Service = Insights['services'][number]
export type CarrierFigures = Omit<Service, 'service' | 'carrier' | 'bins'> & { name: string }

const SUMMED = [
  'deliveries',
  'own_deliveries',
  'cost_cents',
  'delivered_with_window',
  'early',
  'on_time',
  'late',
  'returned',
] as const

/** The figures of each carrier's services together, by volume. */
export function byCarrier(services: readonly Service[]): CarrierFigures[] {
  const groups = [...Map.groupBy(services, ({ provider }) => provider)]
  return groups
    .map(([provider, theirs]) => {
      const sums = Object.fromEntries(
        SUMMED.map((name) => [name, theirs.reduce((sum, one) => sum + one[name], 0)]),
      ) as Pick<Service, (typeof SUMMED)[number]>
      return { provider, name: provider === null ? OWN : (theirs[0]?.carrier ?? provider), ...sums }
    })
    .sort((a, b) => b.deliveries - a.deliveries)
}
