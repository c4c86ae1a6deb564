import { csvOf, saveCsv } from '../csv.ts'
import type { Insights } from './insights-page.tsx'
import { serviceName } from './words.ts'

/** Every figure of the page in one file, a section for each question. */
export function exportInsights({ from, to, services, weeks, stores, kept_out }: Insights): void {
  const figures = ['deliveries', 'cost_cents', 'timed', 'early', 'inside', 'late', 'returned'] as const
  const rows = [
    ['from', from, 'to', to],
    [],
    ['service', ...figures],
    ...services.map((one) => [serviceName(one), ...figures.map((name) => one[name])]),
    [],
    ['week', 'service', 'deliveries', 'cost_cents'],
    ...weeks.map((one) => [one.week, serviceName(one), one.deliveries, one.cost_cents]),
    [],
    ['store', ...figures],
    ...stores.map((one) => [one.store_reference, ...figures.map((name) => one[name])]),
    [],
    ['rule', 'service', 'deliveries'],
    ...kept_out.map(({ rule, provider, service, deliveries }) => [
      rule,
      `${provider} ${service}`,
      deliveries,
    ]),
  ]
  saveCsv(`insights-${from}-${to}.csv`, csvOf(rows))
}
