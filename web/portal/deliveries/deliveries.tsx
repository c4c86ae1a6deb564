import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { count } from '../../shared/count.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { useHandover } from '../delivery/use-handover.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { usePortal } from '../portal.ts'
import { usePrinted } from '../printed.ts'
import { useNewer } from '../refresh-queries.ts'
import type { DeliveriesSearch } from '../routes.tsx'
import '../rows/row.css'
import { SelectionToolbar } from '../today/selection-toolbar.tsx'
import { useBatch } from '../today/use-batch.ts'
import { usePrinting } from '../today/use-printing.ts'
import { useTicks } from '../today/use-ticks.ts'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import { allowedBy } from './allowed.ts'
import './deliveries.css'
import { DeliveryList } from './delivery-list.tsx'
import { Ended } from './ended.tsx'
import { ExportButton } from './export-button.tsx'
import { Filters } from './filters.tsx'
import { EVERYWHERE, filterOf, useDeliveries } from './use-deliveries.ts'
import { Views } from './views.tsx'

/** The list loads older rows when this many known rows are left. */
const AHEAD = 100

/** All days: newest first, filtered by the address of the page. */
export function Deliveries() {
  const portal = usePortal()
  const { tenantId, store, stores } = portal
  const nowMs = useMinute()
  const search = useSearch({ from: '/inside/deliveries' })
  const navigate = useNavigate()
  const list = useRef<HTMLUListElement>(null)
  const title = search.q ? `“${search.q}”` : 'Deliveries'
  useTitle(title)
  const filter = filterOf(search, store.reference)
  const { all, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useDeliveries(
    tenantId,
    filter,
  )
  const newer = useNewer(tenantId, filter.store_reference)
  const [drawn, setDrawn] = useState(0)
  const near = hasNextPage && !isFetchingNextPage && !error && drawn > (all?.length ?? 0) - AHEAD
  useEffect(() => {
    if (near) void fetchNextPage()
  }, [near, fetchNextPage])
  const change = (to: DeliveriesSearch) => navigate({ to: '/deliveries', search: to, replace: true })
  const rows = useMemo(() => (all ?? []).map(({ id }) => ({ key: id })), [all])
  const ticks = useTicks(list, rows)
  const printing = usePrinting()
  const find = (id: string) => all?.find((one) => one.id === id)
  const chosen = (all ?? []).filter(({ id }) => ticks.ticked.has(id))
  const { printable, manifestable } = allowedBy(chosen, store.id)
  const batch = useBatch(printable, usePrinted())
  const only = manifestable.join(',')
  const print = (ids: readonly string[]) => printing.print(ids.flatMap((id) => find(id) ?? []))
  const clear = () => {
    ticks.clear()
    printing.reset()
  }
  useKeys({
    p: () => print(chosen.length > 0 ? batch.ids : ticks.focused(find)),
    ...(chosen.length > 0 && { m: () => only && navigate({ to: '/manifest', search: { only } }) }),
    escape: clear,
  })
  const handover = useHandover(find)
  const { q: _, ...withoutQuery } = search
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
        {all && all.length > 0 && (
          <span className="dim">
            {count(all.length, 'delivery', 'deliveries')}
            {hasNextPage && ' shown. Scroll down for older ones.'}
          </span>
        )}
        {search.q && (
          <button type="button" className="b s quiet" onClick={() => change(withoutQuery)}>
            Clear search
          </button>
        )}
        <span className="right">
          <ExportButton key={JSON.stringify(filter)} filter={filter} isEmpty={all && all.length === 0} />
        </span>
      </div>
      <Filters search={search} change={change} />
      <Ended {...{ filter, search, all, change }} />
      <Views search={search} />
      {error && !all && <ProblemView error={error} retry={refetch} />}
      {!all && !error && <Loading />}
      {newer.there && (
        <button type="button" className="b s moved" onClick={newer.show}>
          Show new deliveries
        </button>
      )}
      {all?.length === 0 && (
        <div className="state">
          <h2>{search.q ? `No deliveries match “${search.q}”.` : 'No deliveries found.'}</h2>
          {filter.store_reference !== undefined && stores.length > 1 && (
            <button type="button" className="b" onClick={() => change({ ...search, store: EVERYWHERE })}>
              Search all stores
            </button>
          )}
        </div>
      )}
      {all && all.length > 0 && (
        <DeliveryList
          list={list}
          deliveries={all}
          named={filter.store_reference === undefined}
          nowMs={nowMs}
          ticks={ticks}
          drawn={setDrawn}
        />
      )}
      {error && all && <ProblemView error={error} retry={() => fetchNextPage()} />}
      <SelectionToolbar
        ticked={chosen.length}
        batch={batch}
        manifestable={manifestable}
        printing={printing}
        clear={clear}
      />
      {handover}
    </>
  )
}
