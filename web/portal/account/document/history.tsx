import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../../shared/api.ts'
import { momentWords } from '../../../shared/times.ts'
import { usePortal } from '../../portal.ts'

/** Every document that was in use; going back goes through a plan like any change. */
export function History({ current, goBack }: { current: number; goBack(version: number): void }) {
  const { tenantId, store, nowMs } = usePortal()
  const { data } = useQuery({
    queryKey: ['account-versions', tenantId],
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId } }
      return (await answerOf(api.GET('/admin/accounts/{tenant_id}/versions', { params }))).data
    },
  })
  return (
    <section className="sheet pad" aria-labelledby="history">
      <h2 id="history">History</h2>
      <ol className="history">
        {data?.map(({ version, applied_at, applied_by }) => (
          <li key={version}>
            <b>{version}</b>
            <span>
              {applied_by}, {momentWords(Date.parse(applied_at), store.time_zone, nowMs())}
            </span>
            {version === current ? (
              <span className="dim">in use</span>
            ) : (
              <button type="button" className="b s" onClick={() => goBack(version)}>
                Go back to {version}
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
