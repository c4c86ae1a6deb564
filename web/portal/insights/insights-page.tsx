import { Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { InsightsAnswer } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { isoDay } from '../../shared/times.ts'
import { csvOf, saveCsv } from '../csv.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { CostLines } from './cost-lines.tsx'
import { toCostRows } from './costs/cost-rows.ts'
import { CostTotals } from './costs/cost-totals.tsx'
import { type CostScope, readCosts } from './costs/read-costs.ts'
import { Uncounted } from './costs/uncounted.tsx'
import { ScopeContext } from './figure.tsx'
import './insights.css'
import { Exclusions } from './exclusions.tsx'
import { type Days, findDatesProblem, toPeriod } from './period.ts'
import { PeriodChoice } from './period-choice.tsx'
import { Carriers, Stores } from './places.tsx'
import { Sentence } from './sentence.tsx'
import { WindowHistogram } from './window-histogram.tsx'

export type Insights = InsightsAnswer['data']

const ALL = ''

/** A sentence first, then the questions behind it, each as a chart that is a table too. */
export function InsightsPage() {
  const { tenantId, stores, store, nowMs } = usePortal()
  const search = useSearch({ from: '/inside/insights' })
  const [where, setWhere] = useState(ALL)
  useTitle('Insights')
  const today = isoDay(nowMs(), store.time_zone)
  const period = toPeriod(search, today)
  const narrow = where === ALL ? {} : { store_reference: where }
  const read = async ({ from, to }: Days) => {
    const query = { from, to, ...narrow }
    return (await api.GET('/{tenant_id}/insights', { params: { path: { tenant_id: tenantId }, query } })).data
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['insights', tenantId, period, where],
    enabled: findDatesProblem(period) === null,
    placeholderData: (before) => before,
    queryFn: async () => {
      const [insights, before] = await Promise.all([read(period), read(period.before)])
      return { insights, before, period }
    },
  })
  const save = useMutation({
    mutationFn: async (scope: CostScope) => {
      const rows = toCostRows(await readCosts(tenantId, scope), stores, store.time_zone)
      saveCsv(`costs-${scope.from}-${scope.to}.csv`, csvOf(rows))
    },
  })
  const scope = data && { from: data.insights.from, to: data.insights.to, ...narrow }
  return (
    <>
      <div className="head">
        <h1>Insights</h1>
        <span className="choices-in-head">
          <PeriodChoice period={period} today={today} />
          <Select
            aria-label="Stores"
            value={where}
            onChange={(value) => value !== null && setWhere(value)}
            data={[
              { value: ALL, label: 'All stores' },
              ...stores.map(({ reference, name }) => ({ value: reference, label: name })),
            ]}
          />
        </span>
        <span className="right">
          <ActionButton
            type="button"
            className="b s"
            disabledReason={!scope && 'There’s nothing to export yet.'}
            busy={save.isPending}
            onClick={() => scope && save.mutate(scope)}
          >
            Export CSV
          </ActionButton>
        </span>
      </div>
      {save.error && <ProblemView error={save.error} />}
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && scope && (
        <ScopeContext
          value={{
            ended_from: data.insights.from,
            ended_to: data.insights.to,
            store: where === ALL ? null : where,
          }}
        >
          <Sentence {...data} />
          <div className="insight-grid">
            {data.insights.total.deliveries + data.before.total.deliveries > 0 && <CostTotals {...data} />}
            {data.insights.cancelled.deliveries + data.insights.lost.deliveries > 0 && (
              <Uncounted insights={data.insights} tenantId={tenantId} scope={scope} />
            )}
          </div>
          {data.insights.total.deliveries > 0 && (
            <div className="insight-grid">
              <WindowHistogram insights={data.insights} />
              <CostLines insights={data.insights} />
              <Exclusions insights={data.insights} />
              <div className="insight-places">
                <Stores insights={data.insights} />
                <Carriers insights={data.insights} />
              </div>
            </div>
          )}
        </ScopeContext>
      )}
    </>
  )
}
