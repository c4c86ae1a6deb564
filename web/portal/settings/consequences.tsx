import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { formatDollarDifference, formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import type { SimulationAnswer } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { isoDay } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { Wide } from '../wide.tsx'
import { toConsequences, toLastWeekSentences } from './consequence-sentences.ts'
import { useSettings } from './settings.ts'

type LastWeek = NonNullable<SimulationAnswer['data']['last_week']>
const SHOWN = 5

/** What the changes mean for promises already made and, on request, for last week's deliveries. */
export function Consequences() {
  const { document, version } = useSettings()
  const { tenantId } = usePortal()
  const [asksLastWeek, setAsksLastWeek] = useState(false)
  const simulate = (lastWeek: boolean) => ({
    queryKey: ['simulation', tenantId, version, document, lastWeek],
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId }, query: { last_week: lastWeek } }
      const body = document as { tenant_id: string }
      return (await api.POST('/admin/accounts/{tenant_id}/simulate', { params, body })).data
    },
  })
  const { data, error, refetch } = useQuery(simulate(false))
  const week = useQuery({ ...simulate(true), enabled: asksLastWeek })
  return (
    <section className="consequences" aria-label="Consequences">
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {data ? (
        <Promises {...data} />
      ) : (
        !error && <p className="dim">Checking the delivery times you’ve promised…</p>
      )}
      {week.data?.last_week ? (
        <Week {...week.data.last_week} />
      ) : (
        <ActionButton
          type="button"
          className="b s"
          busy={week.isFetching}
          onClick={() => (asksLastWeek ? void week.refetch() : setAsksLastWeek(true))}
        >
          Try these settings on the past week’s deliveries
        </ActionButton>
      )}
      {week.error && <ProblemView error={week.error} />}
    </section>
  )
}

function toUnchangedSentences(deliveries: number): string {
  return deliveries === 1
    ? '1 delivery is waiting for a carrier. Its promised time wouldn’t change.'
    : `${deliveries} deliveries are waiting for a carrier. Their promised times wouldn’t change.`
}

function Promises(simulation: SimulationAnswer['data']) {
  const { store, nowMs } = usePortal()
  const { deliveries, is_complete, changed_deliveries, changed } = simulation.unbooked
  const today = Date.parse(isoDay(nowMs(), store.time_zone)) / 86_400_000
  if (deliveries === 0) return <p>No deliveries are waiting for a carrier.</p>
  const checked = is_complete
    ? ''
    : 'We only checked the newest 500 deliveries that are waiting for a carrier. '
  if (changed_deliveries === 0)
    return (
      <p>
        {is_complete ? toUnchangedSentences(deliveries) : `${checked}Their promised times wouldn’t change.`}
      </p>
    )
  return (
    <>
      <ul className="plan-sentences">
        {toConsequences(simulation, today).map(({ text, deliveries: named }) => (
          <li key={text}>
            {text}{' '}
            {named.slice(0, SHOWN).map(({ id, reference }, index) => (
              <Fragment key={id}>
                {index > 0 && ', '}
                <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} className="figure-link">
                  {reference}
                </Link>
              </Fragment>
            ))}
            {named.length > SHOWN && <span className="dim"> and {named.length - SHOWN} more</span>}
          </li>
        ))}
      </ul>
      <p className="dim">
        {checked}
        {changed_deliveries > changed.length &&
          `${count(changed_deliveries - changed.length, 'more delivery is', 'more deliveries are')} not listed. `}
        We don’t change the times that customers see. If the store can no longer meet a time, contact the
        customer.
      </p>
    </>
  )
}

function Week(week: LastWeek) {
  return (
    <div role="status">
      <p>{toLastWeekSentences(week)}</p>
      {week.deliveries > 0 && (
        <Wide label="The past week’s deliveries with these settings">
          <table className="plain">
            <thead>
              <tr>
                <th scope="col">Service</th>
                <th scope="col" className="num">
                  Deliveries
                </th>
                <th scope="col" className="num">
                  Deliveries with the new settings
                </th>
                <th scope="col" className="num">
                  Cost
                </th>
                <th scope="col" className="num">
                  Cost with the new settings
                </th>
                <th scope="col" className="num">
                  Difference in cost
                </th>
              </tr>
            </thead>
            <tbody>
              {week.services.map((one) => (
                <tr key={`${one.provider} ${one.service}`}>
                  <th scope="row">
                    {one.carrier} {one.service}
                  </th>
                  <td className="num">{one.deliveries_before}</td>
                  <td className="num">{one.deliveries_after}</td>
                  <td className="num">{formatDollars(one.cost_cents_before)}</td>
                  <td className="num">{formatDollars(one.cost_cents_after)}</td>
                  <td className="num">
                    {formatDollarDifference(one.cost_cents_after - one.cost_cents_before)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {week.deliveries + week.unavailable_deliveries + week.unknown_deliveries > 0 && (
        <p className="dim small">
          For each delivery, we went back to the time it was created and chose a carrier again. We only kept
          the live price of the service chosen then, so we left out all other live prices.
          {!week.is_complete && ' We only used the newest 1,000 deliveries.'}
        </p>
      )}
    </div>
  )
}
