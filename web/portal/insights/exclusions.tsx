import { useState } from 'react'
import { count } from '../../shared/count.ts'
import { RULE_TEXTS } from '../delivery/decision-texts.ts'
import { ChartCard } from './chart-card.tsx'
import { toExclusionRows } from './export-insights.ts'
import { Figure } from './figure.tsx'
import { formatExtraCost, serviceName } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'
import { Bar, type RankColumn, RankTable } from './rank-table.tsx'

const SHOWN = 8

/** The answer has at most this many. */
const MAX_LISTED = 50

type Row = Insights['exclusions'][number]

/** The rules that excluded services: how often, and what the deliveries cost more because of them. */
export function Exclusions({ insights }: { insights: Insights }) {
  const { exclusions: keptOut, total } = insights
  const [all, setAll] = useState(false)
  const moreLabel =
    keptOut.length < MAX_LISTED ? `Show all ${keptOut.length}` : `Show the ${MAX_LISTED} most frequent`
  const max = Math.max(1, ...keptOut.map(({ deliveries }) => deliveries))
  const ruleOf = ({ rule }: Row) => RULE_TEXTS[rule].replace(/\.$/, '')
  const columns: RankColumn<Row>[] = [
    { word: 'Reason', by: ruleOf, cell: ruleOf, isText: true },
    { word: 'Service', by: serviceName, cell: serviceName, isText: true },
    {
      word: 'Deliveries',
      by: ({ deliveries }) => deliveries,
      cell: ({ deliveries }) => (
        <>
          <Bar share={deliveries / max} /> {deliveries.toLocaleString('en-AU')}
        </>
      ),
    },
    {
      word: 'Extra cost',
      by: ({ priced_count, extra_cost_cents }) => (priced_count === 0 ? null : extra_cost_cents),
      cell: formatExtraCost,
      look: 'num',
    },
  ]
  return (
    <ChartCard
      id="kept-out"
      title="Why weren’t cheaper services used?"
      note="incl. GST"
      csv={toExclusionRows(insights)}
      chart={
        keptOut.length === 0 ? (
          <p className="dim">No reasons are recorded for this period.</p>
        ) : (
          <>
            <RankTable
              label="Why weren’t cheaper services used?"
              rows={all ? keptOut : keptOut.slice(0, SHOWN)}
              keyOf={({ rule, provider, service }) => `${rule} ${provider} ${service}`}
              columns={columns}
              first={2}
            />
            {keptOut.length > SHOWN && (
              <button type="button" className="b quiet linklike" onClick={() => setAll(!all)}>
                {all ? `Show the top ${SHOWN}` : moreLabel}
              </button>
            )}
            <p className="dim small explained">
              This table covers the <Figure>{count(total.deliveries, 'delivery', 'deliveries')}</Figure> that
              ended in this period. “Extra cost” is how much more you paid than the service in the same row
              would have charged.{' '}
              {keptOut.some(({ priced_count, deliveries }) => priced_count < deliveries) &&
                '“(of 12)” means that we know that service’s price for only 12 of the deliveries. '}
              A delivery can appear in several rows.
            </p>
          </>
        )
      }
    />
  )
}
