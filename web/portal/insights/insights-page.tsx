import { Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { InsightsAnswer } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { isoDay } from '../../shared/times.ts'
import { csvOf, saveCsv } from '../csv.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { CostLines } from './cost-lines.tsx'
import { costRows } from './cost-rows.ts'
import { ScopeContext } from './figure.tsx'
import './insights.css'
import { Exclusions } from './exclusions.tsx'
import { Carriers, Stores } from './places.tsx'
import { Sentence } from './sentence.tsx'
import { type CostScope, readCosts } from './use-delivery-costs.ts'
import { WindowHistogram } from './window-histogram.tsx'

export type Insights = InsightsAnswer['data']

const PERIODS = [
  ['7', '7 days'],
  ['28', '4 weeks'],
  ['84', '12 weeks'],
  ['364', '52 weeks'],
] as const
const ALL = ''
const DAY_MS = 86_400_000

/** A sentence first, then the questions behind it, each as a chart that is a table too. */
export function InsightsPage() {
  const { tenantId, stores, store, nowMs } = usePortal()
  const [days, setDays] = useState('28')
  const [where, setWhere] = useState(ALL)
  useTitle('Insights')
  const length = PERIODS.find(([value]) => value === days)?.[1]
  const to = isoDay(nowMs(), store.time_zone)
  const from = isoDay(nowMs() - (Number(days) - 1) * DAY_MS, store.time_zone)
  const { data, error, refetch } = useQuery({
    queryKey: ['insights', tenantId, from, to, where],
    placeholderData: (before) => before,
    queryFn: async () => {
      const query = { from, to, ...(where !== ALL && { store_reference: where }) }
      return (
        await answerOf(api.GET('/{tenant_id}/insights', { params: { path: { tenant_id: tenantId }, query } }))
      ).data
    },
  })
  const save = useMutation({
    mutationFn: async (scope: CostScope) => {
      const rows = costRows(await readCosts(tenantId, scope), stores, store.time_zone)
      saveCsv(`costs-${scope.from}-${scope.to}.csv`, csvOf(rows))
    },
  })
  return (
    <>
      <div className="head">
        <h1>Insights</h1>
        <span className="choices-in-head">
          <Select
            aria-label="Period"
            value={days}
            onChange={(value) => value && setDays(value)}
            data={PERIODS.map(([value, length]) => ({ value, label: `Last ${length}` }))}
          />
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
            closed={!data && 'There are no figures to export yet.'}
            busy={save.isPending}
            onClick={() =>
              data &&
              save.mutate({ from: data.from, to: data.to, ...(where !== ALL && { store_reference: where }) })
            }
          >
            Export CSV
          </ActionButton>
        </span>
      </div>
      {save.error && <ProblemView error={save.error} />}
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <ScopeContext
          value={{ ended_from: data.from, ended_to: data.to, store: where === ALL ? null : where }}
        >
          <Sentence insights={data} words={{ these: `these ${length}`, before: `the ${length} before` }} />
          {data.total.deliveries > 0 && (
            <div className="insight-grid">
              <WindowHistogram insights={data} />
              <CostLines insights={data} />
              <Exclusions insights={data} />
              <div className="insight-places">
                <Stores insights={data} />
                <Carriers insights={data} />
              </div>
            </div>
          )}
        </ScopeContext>
      )}
    </>
  )
}
