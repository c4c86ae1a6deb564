import { useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { momentWords } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { Wide } from '../wide.tsx'

/** Who changed what; nothing of it is ever changed. */
export function Audit() {
  const { tenantId, store, nowMs } = usePortal()
  useTitle('Audit')
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ['audit', tenantId],
    initialPageParam: '',
    queryFn: ({ pageParam }) => {
      const query = pageParam ? { after: pageParam } : {}
      return answerOf(api.GET('/{tenant_id}/audit-log', { params: { path: { tenant_id: tenantId }, query } }))
    },
    getNextPageParam: ({ pagination }) => pagination.next,
  })
  const all = data?.pages.flatMap((page) => page.data)
  return (
    <>
      <div className="head">
        <h1>Audit</h1>
        <span className="dim">Everything that changed something, and who did it. By real time.</span>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {all && (
        <Wide label="Audit">
          <table className="list-table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Who</th>
                <th scope="col">Did</th>
                <th scope="col">To</th>
                <th scope="col">Before → after</th>
              </tr>
            </thead>
            <tbody>
              {all.map(({ id, at, actor, action, object, before, after, ip }) => (
                <tr key={id}>
                  <td>{momentWords(Date.parse(at), store.time_zone, nowMs())}</td>
                  <td>
                    <b>{actor.name ?? actor.id}</b>{' '}
                    <span className="dim">{actor.kind.replaceAll('_', ' ')}</span>
                    {ip && <span className="dim">, {ip}</span>}
                  </td>
                  <td>{wordsOf(action)}</td>
                  <td className="mono wrap">{object}</td>
                  <td className="said">
                    {before && <span className="was">{shown(before)}</span>} {after && shown(after)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {hasNextPage && (
        <button type="button" className="b older" onClick={() => fetchNextPage()}>
          Older ones
        </button>
      )}
    </>
  )
}

/** `amendDelivery` is "amend delivery". */
function wordsOf(operation: string): string {
  return operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function shown(state: Record<string, unknown>): string {
  return Object.entries(state)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ')
}
