import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InsightsAnswer } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { isoDay } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { CostLines } from './cost-lines.tsx'
import { exportInsights } from './export-insights.ts'
import './insights.css'
import { KeptOut, Stores } from './rank-tables.tsx'
import { Sentence } from './sentence.tsx'
import { WindowHistogram } from './window-histogram.tsx'

export type Insights = InsightsAnswer['data']

const PERIODS = [
  ['7', 'Last 7 days'],
  ['28', 'Last 4 weeks'],
  ['84', 'Last 12 weeks'],
  ['364', 'Last 52 weeks'],
] as const
const ALL = ''
const DAY_MS = 86_400_000

/** A sentence first, then the questions behind it, each as a chart that is a table too. */
export function InsightsPage() {
  const { tenantId, stores, store, nowMs } = usePortal()
  const [days, setDays] = useState('28')
  const [where, setWhere] = useState(ALL)
  useTitle('Insights')
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
  return (
    <>
      <div className="head">
        <h1>Insights</h1>
        <span className="choices-in-head">
          <Select
            aria-label="Period"
            value={days}
            onChange={(value) => value && setDays(value)}
            data={PERIODS.map(([value, label]) => ({ value, label }))}
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
          <button type="button" className="b s" disabled={!data} onClick={() => data && exportInsights(data)}>
            Export CSV
          </button>
        </span>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && <Sentence insights={data} days={Number(days)} />}
      {data && data.total.deliveries > 0 && (
        <div className="insight-grid">
          <WindowHistogram services={data.services} />
          <CostLines insights={data} />
          <KeptOut keptOut={data.kept_out} />
          <Stores stores={data.stores} />
        </div>
      )}
    </>
  )
}
