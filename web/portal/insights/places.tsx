import type { DeliveriesSearch } from '../routes.tsx'
import { byCarrier, type CarrierFigures } from './by-carrier.ts'
import { ChartCard } from './chart-card.tsx'
import { carrierRows, storeRows } from './export-insights.ts'
import { Count, Share } from './figure.tsx'
import { eachCents, formatEach } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'
import { Bar, type RankColumn, RankTable } from './rank-table.tsx'
import { toServiceFilter } from './to-service-filter.ts'

type Figures = Pick<
  CarrierFigures,
  'deliveries' | 'own_deliveries' | 'cost_cents' | 'delivered_with_window' | 'on_time' | 'late' | 'returned'
>

/** The stores by volume. */
export function Stores({ insights }: { insights: Insights }) {
  const { stores } = insights
  return (
    <ChartCard
      id="stores"
      title="Stores"
      note="click a heading to sort"
      csv={storeRows(insights)}
      chart={
        <RankTable
          label="Stores"
          rows={stores}
          keyOf={(one) => one.store_reference}
          columns={columnsOf(
            'Store',
            stores,
            ({ name }) => name,
            (one) => ({ store: one.store_reference }),
          )}
          first={1}
        />
      }
    />
  )
}

/** The carriers, each with all its services. */
export function Carriers({ insights }: { insights: Insights }) {
  const carriers = byCarrier(insights.services)
  return (
    <ChartCard
      id="carriers"
      title="Carriers"
      note="click a heading to sort"
      csv={carrierRows(insights)}
      chart={
        <RankTable
          label="Carriers"
          rows={carriers}
          keyOf={({ name, provider }) => `${provider} ${name}`}
          columns={columnsOf('Carrier', carriers, ({ name }) => name, toServiceFilter)}
          first={1}
        />
      }
    />
  )
}

function columnsOf<T extends Figures>(
  word: string,
  rows: readonly T[],
  nameOf: (row: T) => string,
  narrowOf: (row: T) => DeliveriesSearch,
): RankColumn<T>[] {
  const max = Math.max(1, ...rows.map(({ deliveries }) => deliveries))
  return [
    { word, by: nameOf, cell: nameOf, isText: true },
    {
      word: 'Deliveries',
      by: ({ deliveries }) => deliveries,
      cell: (row) => (
        <>
          <Bar share={row.deliveries / max} /> <Count of={row.deliveries} narrow={narrowOf(row)} />
        </>
      ),
    },
    { word: 'Average', by: eachCents, cell: formatEach, look: 'num' },
    {
      word: 'On time',
      by: ({ on_time, delivered_with_window }) =>
        delivered_with_window === 0 ? null : on_time / delivered_with_window,
      cell: (row) => (
        <Share
          part={row.on_time}
          whole={row.delivered_with_window}
          narrow={{ ...narrowOf(row), timeliness: 'on_time' }}
        />
      ),
      look: 'num',
    },
    {
      word: 'Late',
      by: ({ late }) => late,
      cell: (row) => <Count of={row.late} narrow={{ ...narrowOf(row), timeliness: 'late' }} />,
      look: 'num',
    },
    {
      word: 'Returned',
      by: ({ returned }) => returned,
      cell: (row) => <Count of={row.returned} narrow={{ ...narrowOf(row), status: 'returned' }} />,
      look: 'num',
    },
  ]
}
