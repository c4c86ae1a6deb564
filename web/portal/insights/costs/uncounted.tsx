import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDollars } from '../../../../src/domain/text/format-dollars.ts'
import { count } from '../../../shared/count.ts'
import { ProblemView } from '../../../shared/problem-view.tsx'
import { Wide } from '../../wide.tsx'
import { serviceName } from '../format-figures.ts'
import type { Insights } from '../insights-page.tsx'
import { type CostScope, type DeliveryCost, readCosts } from './read-costs.ts'

const SHOWN = 10

type UncountedProps = { insights: Insights; tenantId: string; scope: CostScope }

/** The cancelled and lost deliveries by name: they are not in the total, and a carrier may still charge for them. */
export function Uncounted({ insights: { cancelled, lost }, tenantId, scope }: UncountedProps) {
  const [all, setAll] = useState(false)
  const {
    data: costs,
    error,
    refetch,
  } = useQuery({
    queryKey: ['insights', tenantId, 'uncounted', scope],
    queryFn: () => readCosts(tenantId, { ...scope, in_total: false }),
  })
  const both = cancelled.deliveries + lost.deliveries
  return (
    <section className="sheet pad chart-card" aria-labelledby="uncounted">
      <header>
        <h2 id="uncounted">Cancelled and lost</h2>
        <span className="dim small">not in the total</span>
      </header>
      <p>{uncountedWords({ cancelled, lost })}</p>
      {error && !costs && <ProblemView error={error} retry={refetch} />}
      {costs && (
        <Wide label="Cancelled and lost deliveries">
          <table className="plain">
            <thead>
              <tr>
                <th scope="col">Order</th>
                <th scope="col">What happened</th>
                <th scope="col">Carrier</th>
                <th scope="col" className="num">
                  Quoted
                </th>
              </tr>
            </thead>
            <tbody>
              {(all ? costs : costs.slice(0, SHOWN)).map((cost) => (
                <tr key={cost.id}>
                  <th scope="row">
                    <Link
                      to="/deliveries/$deliveryId"
                      params={{ deliveryId: cost.id }}
                      className="figure-link"
                    >
                      {cost.reference}
                    </Link>
                  </th>
                  <td>{cost.status === 'lost' ? 'Lost' : 'Cancelled'}</td>
                  <td>{carrierOf(cost)}</td>
                  <td className="num">
                    {cost.quoted_cents === null ? '' : formatDollars(cost.quoted_cents)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {both > SHOWN && (
        <button type="button" className="b quiet linklike" onClick={() => setAll(!all)}>
          {all ? `Show the first ${SHOWN}` : `Show all ${both}`}
        </button>
      )}
    </section>
  )
}

function uncountedWords({ cancelled, lost }: Pick<Insights, 'cancelled' | 'lost'>): string {
  const parts = [
    cancelled.deliveries > 0 &&
      `${count(cancelled.deliveries, 'delivery was', 'deliveries were')} cancelled${formatQuoted(cancelled.quoted_cents)}.`,
    lost.deliveries > 0 &&
      `${count(lost.deliveries, 'delivery was', 'deliveries were')} lost${formatQuoted(lost.quoted_cents)}.`,
    'Check your invoices: carriers may still charge you.',
  ]
  return parts.filter(Boolean).join(' ')
}

/** Nothing was quoted if no carrier was chosen. */
function formatQuoted(cents: number): string {
  return cents === 0 ? '' : ` (quoted ${formatDollars(cents)})`
}

/** A delivery that was cancelled before anybody took it has no courier or carrier. */
function carrierOf(cost: DeliveryCost): string {
  return cost.provider === null && cost.booked_at === null ? '' : serviceName(cost)
}
