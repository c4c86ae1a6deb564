import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { MANIFEST_STATUSES } from '../../../src/domain/delivery/delivery.ts'
import { STATUSES, type Status } from '../../../src/domain/delivery/status.ts'
import { MANIFEST_WORDS, STATUS_WORDS } from '../../../src/domain/delivery/status-words.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { dollars } from '../../shared/money.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { StatusBadge } from '../../shared/status-badge.tsx'
import { momentWords } from '../../shared/times.ts'
import { parcelWords } from '../parcel-words.ts'
import { usePortal } from '../portal.ts'
import type { DeliveriesSearch } from '../routes.tsx'
import { whenWords } from '../today/row.tsx'
import { useTitle } from '../use-title.ts'
import './deliveries.css'
import { exportCsv } from './export-csv.ts'

const PAGE = 100
const EVERYWHERE = 'everywhere'

/** All days: newest first, filtered by what stands in the address. */
export function Deliveries() {
  const portal = usePortal()
  const { tenantId, store, stores, nowMs } = portal
  const search = useSearch({ from: '/inside/deliveries' })
  const navigate = useNavigate()
  const where = search.store ?? store.reference
  useTitle(search.q ? `“${search.q}”` : 'Deliveries')
  const filter = {
    limit: PAGE,
    ...(where !== EVERYWHERE && { store_reference: where }),
    ...(search.q && { q: search.q }),
    ...(isOne(STATUSES, search.status) && { status: search.status }),
    ...(isOne(MANIFEST_STATUSES, search.manifest) && { manifest_status: search.manifest }),
  }
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['deliveries', tenantId, filter],
    initialPageParam: '',
    queryFn: ({ pageParam }) => {
      const query = { ...filter, ...(pageParam && { after: pageParam }) }
      return answerOf(
        api.GET('/{tenant_id}/deliveries', { params: { path: { tenant_id: tenantId }, query } }),
      )
    },
    getNextPageParam: ({ pagination }) => pagination.next,
  })
  const all = data?.pages.flatMap((page) => page.data)
  const choose = (change: DeliveriesSearch) =>
    navigate({ to: '/deliveries', search: { ...search, ...change }, replace: true })
  const clear = (name: keyof DeliveriesSearch) => {
    const { [name]: _, ...rest } = search
    void navigate({ to: '/deliveries', search: rest, replace: true })
  }
  return (
    <>
      <div className="head">
        <h1>{search.q ? `“${search.q}”` : 'Deliveries'}</h1>
        {search.q && (
          <button type="button" className="b s quiet" onClick={() => clear('q')}>
            Show all
          </button>
        )}
        <span className="right">
          <button type="button" className="b s" disabled={!all?.length} onClick={() => exportCsv(all ?? [])}>
            Export CSV
          </button>
        </span>
      </div>
      <div className="filters">
        <Select
          label="Store"
          value={where}
          onChange={(value) => value && choose({ store: value })}
          data={[
            { value: EVERYWHERE, label: 'All stores' },
            ...stores.map(({ reference, name }) => ({ value: reference, label: name })),
          ]}
        />
        <Select
          label="State"
          value={search.status ?? ''}
          onChange={(value) => (value ? choose({ status: value }) : clear('status'))}
          data={[
            { value: '', label: 'All states' },
            ...STATUSES.map((one) => ({ value: one, label: STATUS_WORDS[one].clerk })),
          ]}
        />
        <Select
          label="Manifest"
          value={search.manifest ?? ''}
          onChange={(value) => (value ? choose({ manifest: value }) : clear('manifest'))}
          data={[
            { value: '', label: 'Any' },
            ...MANIFEST_STATUSES.map((one) => ({ value: one, label: MANIFEST_WORDS[one] })),
          ]}
        />
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {all?.length === 0 && (
        <div className="state">
          <h2>{search.q ? `No delivery here matches “${search.q}”.` : 'No deliveries here.'}</h2>
          {where !== EVERYWHERE && stores.length > 1 && (
            <button type="button" className="b" onClick={() => choose({ store: EVERYWHERE })}>
              Look in all stores
            </button>
          )}
        </div>
      )}
      {all && all.length > 0 && (
        <ul className="all-list">
          {all.map((one) => (
            <Line key={one.id} delivery={one} zone={zoneOf(portal, one)} nowMs={nowMs()} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <button
          type="button"
          className="b older"
          disabled={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          Older ones
        </button>
      )}
    </>
  )
}

function zoneOf({ stores, store }: ReturnType<typeof usePortal>, delivery: Delivery): string {
  return (stores.find(({ id }) => id === delivery.store_id) ?? store).time_zone
}

function isOne<T extends string>(all: readonly T[], value: string | undefined): value is T {
  return value !== undefined && (all as readonly string[]).includes(value)
}

function Line({ delivery, zone, nowMs }: { delivery: Delivery; zone: string; nowMs: number }) {
  const { id, reference, customer, address, carrier_provider, service_code, service_quote, created_at } =
    delivery
  return (
    <li className="all-row">
      <StatusBadge status={delivery.status as Status} />
      <span>
        <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} className="open">
          <b>{reference}</b>
        </Link>{' '}
        <span className="dim">
          {customer.first_name} {customer.last_name}
        </span>
      </span>
      <span>
        {delivery.delivery_mode === 'customer_pickup' && <span className="turned">from </span>}
        <b>{address.city}</b> <span className="faint">{parcelWords(delivery.parcels)}</span>
      </span>
      <span className="dim">
        {carrier_provider} <b>{service_code}</b>
      </span>
      <span className="when">{whenWords(delivery, zone, nowMs)}</span>
      <span className="dim small">made {momentWords(Date.parse(created_at), zone, nowMs)}</span>
      <span className="num">{service_quote && dollars(service_quote.price_cents)}</span>
    </li>
  )
}
