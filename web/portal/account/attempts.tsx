import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { formatMoment } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { Wide } from '../wide.tsx'

const OUTCOMES: Readonly<Record<string, string>> = {
  delivered: 'Accepted.',
  failed: 'Failed.',
  exhausted: 'Failed. We won’t try again.',
}

/**
 * The last 50 attempts as marks: full is delivered, hollow is retried, struck is given up. The table spells them out.
 */
export function Attempts({ endpointId }: { endpointId: string }) {
  const { tenantId, store, nowMs } = usePortal()
  const [open, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', tenantId, 'attempts', endpointId],
    refetchInterval: 10_000,
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId, endpoint_id: endpointId }, query: { limit: 50 } }
      return (await api.GET('/{tenant_id}/webhook-endpoints/{endpoint_id}/attempts', { params })).data
    },
  })
  if (error && !data) return <ProblemView error={error} retry={refetch} />
  if (!data) return <Loading lines={[60]} />
  if (data.length === 0) return <p className="dim">No events sent yet.</p>
  const taken = data.filter(({ outcome }) => outcome === 'delivered').length
  const at = (time: string) => formatMoment(Date.parse(time), store.time_zone, nowMs())
  return (
    <>
      <div className="attempts" aria-hidden="true">
        {data.toReversed().map((one) => (
          <i key={keyOf(one)} className={one.outcome} />
        ))}
      </div>
      <p>
        Recent attempts accepted: {taken} of {data.length}.{' '}
        <button
          type="button"
          className="b quiet linklike"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide attempts' : 'Show attempts'}
        </button>
      </p>
      {open && (
        <Wide label="Recent attempts">
          <table className="plain">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Event</th>
                <th scope="col">Attempt</th>
                <th scope="col">Outcome</th>
                <th scope="col">Response</th>
              </tr>
            </thead>
            <tbody>
              {data.map((one) => (
                <tr key={keyOf(one)}>
                  <td>{at(one.at)}</td>
                  <td>{one.type}</td>
                  <td>{one.attempt}</td>
                  <td>
                    {OUTCOMES[one.outcome] ?? one.outcome}
                    {one.next_attempt_at && ` Next attempt: ${at(one.next_attempt_at)}`}
                  </td>
                  <td>
                    {one.response_status} <span className="dim">{one.detail}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </>
  )
}

/** An event that is sent again counts its attempts from 1 again. */
function keyOf({ event_id, attempt, at }: { event_id: string; attempt: number; at: string }): string {
  return `${event_id} ${attempt} ${at}`
}
