import { Link } from '@tanstack/react-router'
import type { Manifest } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { type Column, ListTable } from '../list-table.tsx'
import { Paged } from '../paged.tsx'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { useTitle } from '../use-title.ts'
import { ManifestButtons } from './manifest-buttons.tsx'
import './manifest.css'
import { ManifestProblemText, ManifestState } from './manifest-state.tsx'
import { useManifests } from './use-manifests.ts'

const COLUMNS: readonly Column<Manifest>[] = [
  { word: 'Created', cell: ({ created_at }) => <Timestamp at={created_at} /> },
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
    word: 'Status',
    cell: (manifest) => (
      <>
        <ManifestState status={manifest.status} />
        <ManifestProblemText manifest={manifest} />
      </>
    ),
  },
  { word: 'Carrier’s order number', look: 'mono', cell: ({ external_ref }) => external_ref.order_id },
  {
    word: 'Contents',
    cell: ({ counts, manifest_deliveries: rows }) => {
      const leftOut = rows.filter((one) => one.moved_to_another_carrier).length
      return (
        <>
          {count(counts.deliveries, 'delivery', 'deliveries')}, {count(counts.items, 'parcel')}
          {leftOut > 0 && (
            <p className="dim small">
              {counts.deliveries === 1 ? 'It has' : count(leftOut, 'of them has', 'of them have')} since moved
              to another carrier.
            </p>
          )}
        </>
      )
    },
  },
  { word: null, cell: (manifest) => <ManifestButtons manifest={manifest} size="s" /> },
]

/** The store's manifests, newest first; clerks submit drafts and resolve those on hold here. */
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
            Manifest today’s deliveries <kbd>M</kbd>
          </Link>
        </span>
      </div>
      <Paged
        queryKey={['manifests', tenantId, store.reference]}
        read={(after) => {
          const query = { store_reference: store.reference, ...(after && { after }) }
          return api.GET('/{tenant_id}/manifests', { params: { path, query } })
        }}
        empty={
          <>
            <h2>No manifests yet.</h2>
            <p>
              A manifest lists the parcels that a carrier’s driver signs for. Create one when deliveries are
              booked and ready to hand over.
            </p>
          </>
        }
      >
        {(manifests) => <Rows manifests={manifests} />}
      </Paged>
    </>
  )
}

/** Manifests with a pending carrier call are polled one by one. */
function Rows({ manifests }: { manifests: readonly Manifest[] }) {
  const pending = useManifests(manifests.filter(({ status }) => status === 'submitting').map(({ id }) => id))
  const byId = new Map(pending.map((one) => [one.id, one]))
  return (
    <ListTable
      label="Manifests"
      rows={manifests.map((one) => byId.get(one.id) ?? one)}
      keyOf={({ id }) => id}
      columns={COLUMNS}
    />
  )
}
