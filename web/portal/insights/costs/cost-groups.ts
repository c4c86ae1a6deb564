import type { DeliveriesSearch } from '../../routes.tsx'
import { byCarrier } from '../by-carrier.ts'
import { formatDate, OWN, serviceName } from '../format-figures.ts'
import type { Insights } from '../insights-page.tsx'
import { toServiceFilter } from '../to-service-filter.ts'
import { type Days, weekWithin } from './week-within.ts'

export const GROUPINGS = ['carrier', 'service', 'store', 'week'] as const
export type Grouping = (typeof GROUPINGS)[number]

type Figures = { deliveries: number; own_deliveries: number; cost_cents: number }
/** `key` names the group in both periods; `narrow` opens its deliveries. */
export type CostGroup = Figures & {
  key: string
  name: string
  narrow: DeliveriesSearch
  /** Its cost in the period before; null for weeks, which are other weeks there. */
  before_cents: number | null
}
type Plain = Omit<CostGroup, 'before_cents'>

/** The costs of a period by group, the most expensive first and weeks in order, with what each group cost in the period before. */
export function toCostGroups(insights: Insights, before: Insights, grouping: Grouping): CostGroup[] {
  const groups = GROUPS[grouping](insights)
  if (grouping === 'week') return groups.map((group) => ({ ...group, before_cents: null }))
  const sooner = new Map(GROUPS[grouping](before).map((group) => [group.key, group]))
  const known = new Set(groups.map(({ key }) => key))
  const gone = [...sooner.values()]
    .filter(({ key }) => !known.has(key))
    .map((group) => ({ ...group, deliveries: 0, own_deliveries: 0, cost_cents: 0 }))
  return [...groups, ...gone]
    .map((group) => ({ ...group, before_cents: sooner.get(group.key)?.cost_cents ?? 0 }))
    .sort((a, b) => b.cost_cents - a.cost_cents || b.deliveries - a.deliveries)
}

const GROUPS: Readonly<Record<Grouping, (insights: Insights) => Plain[]>> = {
  carrier: ({ services }) =>
    byCarrier(services).map((one) => ({
      ...toFigures(one),
      key: one.provider ?? OWN,
      name: one.name,
      narrow: toServiceFilter({ provider: one.provider }),
    })),
  service: ({ services }) =>
    services.map((one) => ({
      ...toFigures(one),
      key: `${one.provider} ${one.service}`,
      name: serviceName(one),
      narrow: toServiceFilter(one),
    })),
  store: ({ stores }) =>
    stores.map((one) => ({
      ...toFigures(one),
      key: one.store_reference,
      name: one.name,
      narrow: { store: one.store_reference },
    })),
  week: ({ weeks, from, to }) =>
    [...Map.groupBy(weeks, ({ week }) => week)].map(([week, rows]) => {
      const days = weekWithin({ from, to }, week)
      return {
        deliveries: sum(rows, ({ deliveries }) => deliveries),
        own_deliveries: sum(rows, ({ provider, deliveries }) => (provider === null ? deliveries : 0)),
        cost_cents: sum(rows, ({ cost_cents }) => cost_cents),
        key: week,
        name: weekName(days),
        narrow: { ended_from: days.from, ended_to: days.to },
      }
    }),
}

function toFigures({ deliveries, own_deliveries, cost_cents }: Figures): Figures {
  return { deliveries, own_deliveries, cost_cents }
}

function weekName({ from, to }: Days): string {
  return from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`
}

function sum<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}
