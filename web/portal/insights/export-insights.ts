import { BINS } from '../../../src/domain/insights/figures.ts'
import type { CsvRows } from '../csv.ts'
import { byCarrier } from './by-carrier.ts'
import { toCsvDollars } from './costs/cost-rows.ts'
import { serviceName } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'

const COUNTS = ['delivered_with_window', 'early', 'on_time', 'late', 'returned'] as const
const FIGURES = ['deliveries', 'own_deliveries', 'cost_incl_gst', ...COUNTS] as const

type Figures = Pick<
  Insights['total'],
  'deliveries' | 'own_deliveries' | 'cost_cents' | (typeof COUNTS)[number]
>

export function serviceRows({ services }: Insights): CsvRows {
  return [
    ['service', ...FIGURES, ...BINS],
    ...services.map((one) => [serviceName(one), ...toFigures(one), ...one.bins]),
  ]
}

export function weekRows({ weeks, services }: Insights): CsvRows {
  const carriers = new Map(services.map(({ provider, carrier }) => [provider, carrier]))
  return [
    ['week', 'service', 'deliveries', 'cost_incl_gst'],
    ...weeks.map((one) => [
      one.week,
      serviceName({ ...one, carrier: carriers.get(one.provider) ?? null }),
      one.deliveries,
      toCsvDollars(one.cost_cents),
    ]),
  ]
}

export function storeRows({ stores }: Insights): CsvRows {
  return [['store', ...FIGURES], ...stores.map((one) => [one.store_reference, ...toFigures(one)])]
}

export function carrierRows({ services }: Insights): CsvRows {
  return [['carrier', ...FIGURES], ...byCarrier(services).map((one) => [one.name, ...toFigures(one)])]
}

export function toExclusionRows({ exclusions }: Insights): CsvRows {
  return [
    ['rule', 'service', 'deliveries', 'priced_count', 'cheaper_count', 'extra_cost_incl_gst'],
    ...exclusions.map((one) => [
      one.rule,
      serviceName(one),
      one.deliveries,
      one.priced_count,
      one.cheaper_count,
      toCsvDollars(one.extra_cost_cents),
    ]),
  ]
}

function toFigures(one: Figures) {
  return [
    one.deliveries,
    one.own_deliveries,
    toCsvDollars(one.cost_cents),
    ...COUNTS.map((name) => one[name]),
  ]
}
