import { useState } from 'react'
import { formatDollarDifference, formatDollars } from '../../../../src/domain/text/format-dollars.ts'
import { count } from '../../../shared/count.ts'
import type { CsvRows } from '../../csv.ts'
import { Wide } from '../../wide.tsx'
import { ChartCard } from '../chart-card.tsx'
import { Count } from '../figure.tsx'
import { formatEach } from '../format-figures.ts'
import type { Insights } from '../insights-page.tsx'
import type { Period } from '../period.ts'
import { type CostGroup, GROUPINGS, type Grouping, toCostGroups } from './cost-groups.ts'
import { toCsvDollars } from './cost-rows.ts'

type CostTotalsProps = { insights: Insights; before: Insights; period: Period }

const WORDS: Readonly<Record<Grouping, string>> = {
  carrier: 'Carrier',
  service: 'Service',
  store: 'Store',
  week: 'Week',
}

/** What the period cost in dollars incl. GST, by carrier, service, store or week, and in the period before. */
export function CostTotals({ insights, before, period }: CostTotalsProps) {
  const [grouping, setGrouping] = useState<Grouping>('carrier')
  const groups = toCostGroups(insights, before, grouping)
  const { total } = insights
  const own = total.own_deliveries
  return (
    <ChartCard
      id="costs"
      title="What did your deliveries cost?"
      note={`${period.these}, incl. GST`}
      csv={toRows(groups, grouping)}
      chart={
        <>
          <fieldset className="cost-by" aria-label="Group by">
            {GROUPINGS.map((one) => (
              <button
                key={one}
                type="button"
                className={`b s${grouping === one ? ' on' : ''}`}
                aria-pressed={grouping === one}
                onClick={() => setGrouping(one)}
              >
                {WORDS[one]}
              </button>
            ))}
          </fieldset>
          <Totals groups={groups} grouping={grouping} insights={insights} before={before} period={period} />
          {own > 0 && (
            <p className="dim small explained">
              The average leaves out the {count(own, 'delivery', 'deliveries')} that your own couriers made,
              because no carrier charged for {own === 1 ? 'it' : 'them'}.
            </p>
          )}
        </>
      }
    />
  )
}

type TotalsProps = CostTotalsProps & { groups: readonly CostGroup[]; grouping: Grouping }

function Totals({ groups, grouping, insights: { total }, before, period }: TotalsProps) {
  const isCompared = grouping !== 'week'
  return (
    <Wide label={`Costs by ${grouping}`}>
      <table className="plain costs">
        <thead>
          <tr>
            <th scope="col">{WORDS[grouping]}</th>
            <th scope="col" className="num">
              Deliveries
            </th>
            <th scope="col" className="num">
              Average
            </th>
            <th scope="col" className="num">
              Total
            </th>
            {isCompared && (
              <>
                <th scope="col" className="num">
                  {shortBefore(period)}
                </th>
                <th scope="col" className="num">
                  Change
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.key}>
              <th scope="row">{group.name}</th>
              <td className="num">
                <Count of={group.deliveries} narrow={group.narrow} />
              </td>
              <td className="num">{group.deliveries === 0 ? '' : formatEach(group)}</td>
              <td className="num">{formatDollars(group.cost_cents)}</td>
              {group.before_cents !== null && (
                <>
                  <td className="num">{formatDollars(group.before_cents)}</td>
                  <td className="num">{formatDollarDifference(group.cost_cents - group.before_cents)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="num">
              <Count of={total.deliveries} narrow={{}} />
            </td>
            <td className="num">{total.deliveries === 0 ? '' : formatEach(total)}</td>
            <td className="num">{formatDollars(total.cost_cents)}</td>
            {isCompared && (
              <>
                <td className="num">{formatDollars(before.total.cost_cents)}</td>
                <td className="num">{formatDollarDifference(total.cost_cents - before.total.cost_cents)}</td>
              </>
            )}
          </tr>
        </tfoot>
      </table>
    </Wide>
  )
}

/** `September` of `in September`, as a column's title. */
function shortBefore({ beforeThese }: Period): string {
  const words = beforeThese.replace(/^(in|from|on) /, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function toRows(groups: readonly CostGroup[], grouping: Grouping): CsvRows {
  return [
    [grouping, 'deliveries', 'own_deliveries', 'cost_incl_gst', 'cost_before_incl_gst'],
    ...groups.map((one) => [
      one.name,
      one.deliveries,
      one.own_deliveries,
      toCsvDollars(one.cost_cents),
      toCsvDollars(one.before_cents),
    ]),
  ]
}
