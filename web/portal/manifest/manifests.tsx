import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Manifest } from '../../shared/api.generated.ts'
import { answerOf, api, localAddress } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { momentWords } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { Wide } from '../wide.tsx'
import { ManifestState } from './made.tsx'
import './manifest.css'

/** The store's manifests, newest first; drafts are submitted here. */
export function Manifests() {
  const { tenantId, store } = usePortal()
  useTitle(`Manifests, ${store.name}`)
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ['manifests', tenantId, store.reference],
    initialPageParam: '',
    queryFn: ({ pageParam }) => {
      const query = { store_reference: store.reference, ...(pageParam && { after: pageParam }) }
      return answerOf(api.GET('/{tenant_id}/manifests', { params: { path: { tenant_id: tenantId }, query } }))
    },
    getNextPageParam: ({ pagination }) => pagination.next,
  })
  const all = data?.pages.flatMap((page) => page.data)
  return (
    <>
      <div className="head">
        <h1>Manifests</h1>
        <span className="dim">{store.name}</span>
        <span className="right">
          <Link to="/manifest" className="b next">
            Manifest the day <kbd>M</kbd>
          </Link>
        </span>
      </div>
      {error && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {all?.length === 0 && (
        <div className="state">
          <h2>No manifests yet.</h2>
          <p>
            A manifest is what a carrier’s driver signs for. It is made of what is booked and not yet handed
            over.
          </p>
        </div>
      )}
      {all && all.length > 0 && (
        <Wide label="Manifests">
          <table className="list-table">
            <thead>
              <tr>
                <th scope="col">Made</th>
                <th scope="col">Carrier</th>
                <th scope="col">State</th>
                <th scope="col">Their order</th>
                <th scope="col">Holds</th>
                <th scope="col">
                  <span className="vh">What can be done</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {all.map((manifest) => (
                <Line key={manifest.id} manifest={manifest} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {hasNextPage && (
        <button type="button" className="b" onClick={() => fetchNextPage()}>
          Older ones
        </button>
      )}
    </>
  )
}

function Line({ manifest }: { manifest: Manifest }) {
  const { tenantId, store, nowMs } = usePortal()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/{tenant_id}/manifests/{manifest_id}/submit', {
          params: { path: { tenant_id: tenantId, manifest_id: manifest.id } },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['manifests', tenantId] }),
  })
  const { status, status_reason, carrier_provider, manifest_group, counts, external_ref } = manifest
  return (
    <tr>
      <td>
        <time dateTime={manifest.created_at}>
          {momentWords(Date.parse(manifest.created_at), store.time_zone, nowMs())}
        </time>
      </td>
      <td>
        <b>{carrier_provider}</b> <span className="dim">{manifest_group}</span>
        {manifest.contains_dangerous_goods && <span className="dim">, dangerous goods</span>}
      </td>
      <td>
        <ManifestState status={status} />
        {status_reason && <p className="dim small">{status_reason}</p>}
        {error && (
          <p role="alert" className="field-error">
            {error.message}
          </p>
        )}
      </td>
      <td className="mono">{external_ref.order_id}</td>
      <td>
        {count(counts.deliveries, 'delivery', 'deliveries')}, {count(counts.items, 'parcel')}
      </td>
      <td>
        {(status === 'draft' || status === 'refused') && (
          <button
            type="button"
            className="b s"
            disabled={isPending}
            aria-label={`Submit the manifest of ${carrier_provider} ${manifest_group}`}
            onClick={() => mutate()}
          >
            Submit
          </button>
        )}{' '}
        {manifest.order_summary_url && (
          <a className="b s" href={localAddress(manifest.order_summary_url)} target="_blank" rel="noreferrer">
            Summary
          </a>
        )}
      </td>
    </tr>
  )
}
