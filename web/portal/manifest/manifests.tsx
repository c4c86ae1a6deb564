import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Manifest } from '../../shared/api.generated.ts'
import { answerOf, api, localAddress } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { FieldError } from '../field-error.tsx'
import { type Column, ListTable } from '../list-table.tsx'
import { NO_NEWS_ID } from '../live-news.tsx'
import { Moment } from '../moment.tsx'
import { Paged } from '../paged.tsx'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { WriteButton } from '../write-button.tsx'
import { ManifestState } from './made.tsx'
import './manifest.css'

const COLUMNS: readonly Column<Manifest>[] = [
  { word: 'Made', cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    word: 'Carrier',
    cell: ({ carrier_provider, manifest_group, contains_dangerous_goods }) => (
      <>
        <b>{carrier_provider}</b> <span className="dim">{manifest_group}</span>
        {contains_dangerous_goods && <span className="dim">, dangerous goods</span>}
      </>
    ),
  },
  {
    word: 'State',
    cell: ({ status, status_reason }) => (
      <>
        <ManifestState status={status} />
        {status_reason && <p className="dim small">{status_reason}</p>}
      </>
    ),
  },
  { word: 'Their order', look: 'mono', cell: ({ external_ref }) => external_ref.order_id },
  {
    word: 'Holds',
    cell: ({ counts, manifest_deliveries: rows }) => {
      const gone = rows.filter((one) => one.gone_elsewhere).length
      return (
        <>
          {count(counts.deliveries, 'delivery', 'deliveries')}, {count(counts.items, 'parcel')}
          {gone > 0 && (
            <p className="dim small">{count(gone, 'of them has', 'of them have')} gone elsewhere since</p>
          )}
        </>
      )
    },
  },
  { word: null, cell: (manifest) => <Acts manifest={manifest} /> },
]

/** The store's manifests, newest first; drafts are submitted here. */
export function Manifests() {
  const { tenantId, store } = usePortal()
  useTitle(`Manifests, ${store.name}`)
  const path = { tenant_id: tenantId }
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
      <Paged
        queryKey={['manifests', tenantId, store.reference]}
        read={(after) => {
          const query = { store_reference: store.reference, ...(after && { after }) }
          return answerOf(api.GET('/{tenant_id}/manifests', { params: { path, query } }))
        }}
        empty={
          <>
            <h2>No manifests yet.</h2>
            <p>
              A manifest is what a carrier’s driver signs for. It is made of what is booked and not yet handed
              over.
            </p>
          </>
        }
      >
        {(manifests) => (
          <ListTable label="Manifests" rows={manifests} keyOf={({ id }) => id} columns={COLUMNS} />
        )}
      </Paged>
    </>
  )
}

function Acts({ manifest }: { manifest: Manifest }) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const { id, status, carrier_provider, manifest_group, order_summary_url } = manifest
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/{tenant_id}/manifests/{manifest_id}/submit', {
          params: { path: { tenant_id: tenantId, manifest_id: id } },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['manifests', tenantId] }),
  })
  return (
    <>
      {(status === 'draft' || status === 'refused') && (
        <WriteButton
          why={NO_NEWS_ID}
          className="b s"
          disabled={isPending}
          aria-label={`Submit the manifest of ${carrier_provider} ${manifest_group}`}
          onClick={() => mutate()}
        >
          Submit
        </WriteButton>
      )}{' '}
      {order_summary_url && (
        <a className="b s" href={localAddress(order_summary_url)} target="_blank" rel="noreferrer">
          Summary
        </a>
      )}
      <FieldError error={error} />
    </>
  )
}
