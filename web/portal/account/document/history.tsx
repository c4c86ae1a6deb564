import { useQuery } from '@tanstack/react-query'
import type { VersionsAnswer } from '../../../shared/api.generated.ts'
import { api } from '../../../shared/api.ts'
import { ProblemView } from '../../../shared/problem-view.tsx'
import { formatMoment } from '../../../shared/times.ts'
import { usePortal } from '../../portal.ts'

export type Version = VersionsAnswer['data'][number]

type HistoryProps = { current: number; show(version: Version): void; goBack(version: number): void }

/** Every applied document with its changes; a rollback goes through a plan like any change. */
export function History({ current, show, goBack }: HistoryProps) {
  const { tenantId, store, nowMs } = usePortal()
  const { data, error, refetch } = useQuery({
    queryKey: ['account-versions', tenantId],
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId } }
      return (await api.GET('/admin/accounts/{tenant_id}/versions', { params })).data
    },
  })
  return (
    <section className="sheet pad" aria-labelledby="history">
      <h2 id="history">History</h2>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      <ol className="history">
        {data?.map((one) => {
          const { version, applied_at, applied_by } = one
          return (
            <li key={version}>
              <b>{version}</b>
              <span>
                {applied_by}, {formatMoment(Date.parse(applied_at), store.time_zone, nowMs())}
                {version === current && <span className="dim"> · in use</span>}
              </span>
              <span className="row-of-buttons tight">
                <button
                  type="button"
                  className="b s"
                  aria-label={`What changed in version ${version}`}
                  onClick={() => show(one)}
                >
                  What changed
                </button>
                {version !== current && (
                  <button type="button" className="b s" onClick={() => goBack(version)}>
                    Go back to version {version}
                  </button>
                )}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
