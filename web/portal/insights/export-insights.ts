import { BINS } from '../../../src/domain/insights/figures.ts'
import { csvOf, saveCsv } from '../csv.ts'
import { byCarrier } from './by-carrier.ts'
import { serviceName } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'

export type CsvRows = readonly (readonly (string | number | null | undefined)[])[]

const FIGURES = [
  'deliveries',
  'cost_cents',
  'delivered_with_window',
  'early',
  'on_time',
  'late',
  'returned',
] as const

export function serviceRows({ services }: Insights): CsvRows {
  return [
    ['service', ...FIGURES, ...BINS],
    ...services.map((one) => [serviceName(one), ...FIGURES.map((name) => one[name]), ...one.bins]),
  ]
}

export function weekRows({ weeks, services }: Insights): CsvRows {
  const carriers = new Map(services.map(({ provider, carrier }) => [provider, carrier]))
  return [
    ['week', 'service', 'deliveries', 'cost_cents'],
    ...weeks.map((one) => [
      one.week,
      serviceName({ ...one, carrier: carriers.get(one.provider) ?? null }),
      one.deliveries,
      one.cost_cents,
    ]),
  ]
}

export function storeRows({ stores }: Insights): CsvRows {
  return [
    ['store', ...FIGURES],
    ...stores.map((one) => [one.store_reference, ...FIGURES.map((name) => one[name])]),
  ]
}

export function carrierRows({ services }: Insights): CsvRows {
  return [
    ['carrier', ...FIGURES],
    ...byCarrier(services).map((one) => [one.name, ...FIGURES.map((name) => one[name])]),
  ]
}

export function toExclusionRows({ exclusions }: Insights): CsvRows {
  const figures = ['deliveries', 'priced_count', 'cheaper_count', 'extra_cost_cents'] as const
  return [
    ['rule', 'service', ...figures],
    ...exclusions.map((one) => [one.rule, serviceName(one), ...figures.map((name) => one[name])]),
  ]
}

/** Every figure of the page in one file, a section for each question. */
export function exportInsights(insights: Insights): void {
  const { from, to } = insights
  const sections = [serviceRows, weekRows, toExclusionRows, storeRows, carrierRows]
  const rows = [
    ['from', from, 'to', to],
    ...sections.flatMap((rowsOf) => [[], ...rowsOf(insights)]),
    [],
    ['version', 'applied_at'],
    ...insights.versions.map(({ version, applied_at }) => [version, applied_at]),
  ]
  saveCsv(`insights-${from}-${to}.csv`, csvOf(rows))
}
