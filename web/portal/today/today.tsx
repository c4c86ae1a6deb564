import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { can } from '../../../src/domain/delivery/status.ts'
import { count } from '../../shared/count.ts'
import { placeOn } from '../../shared/day-rail.tsx'
import { Loading } from '../../shared/loading.tsx'
import { NowTag } from '../../shared/now-tag.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { addDays, bareClock, isoDay, longDay } from '../../shared/times.ts'
import { isToManifest } from '../delivery/actions.ts'
import { useHandover } from '../delivery/use-handover.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { usePortal } from '../portal.ts'
import { usePrinted } from '../printed.ts'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import { AxisHead, AxisOver, axisOf, closingsOf, isOn } from './axis.tsx'
import type { Group } from './classify.ts'
import { Filters, isWanted } from './filters.tsx'
import { Groups } from './groups.tsx'
import { Head } from './head.tsx'
import { SelectionToolbar } from './selection-toolbar.tsx'
import '../rows/row.css'
import './today.css'
import { useBatch } from './use-batch.ts'
import { useDay } from './use-day.ts'
import { useItems } from './use-items.ts'
import { usePrinting } from './use-printing.ts'
import { useHeld } from './use-shown.ts'
import { useTicks } from './use-ticks.ts'

/** The day of a store: deliveries that need attention first, then by state, all on one rail. */
export function Today() {
  const { store } = usePortal()
  const nowMs = useMinute()
  const zone = store.time_zone
  const search = useSearch({ from: '/inside/today' })
  const day = search.day ?? isoDay(nowMs, zone)
  const dayMs = useMemo(() => momentOf(day, nowMs, zone), [day, nowMs, zone])
  const { data, error, refetch, isPlaceholderData } = useDay(day)
  const list = useRef<HTMLUListElement>(null)
  const { held, reach } = useHeld()
  const printed = usePrinted()
  const printing = usePrinting()
  const [open, setOpen] = useState<ReadonlySet<Group>>(new Set())
  const unfold = (group: Group) => setOpen((before) => new Set(before).add(group))
  // Until another day's deliveries arrive, those of the day before are shown.
  const shownDay = isPlaceholderData ? 'the day before' : day
  const { items, shown, moved, letMove, byId, wanted } = useItems({
    ...{ data, search, day: shownDay, nowMs, held, open, printed },
  })
  const keys = useMemo(() => items.map(({ key }) => key), [items])
  const rows = useMemo(() => items.filter((item) => item.kind === 'row'), [items])
  const ticks = useTicks(list, rows)
  const find = (id: string) => byId.get(id)?.delivery
  const chosen = [...ticks.ticked].flatMap((id) => find(id) ?? []).filter((one) => isWanted(one, search))
  const batch = useBatch(
    chosen.filter((one) => can('label', one)),
    printed,
  )
  const manifestable = chosen.filter(isToManifest).map(({ id }) => id)
  const only = manifestable.join(',')
  const needs = shown.needs.length
  const attention = needs > 0 ? `${needs} ${needs === 1 ? 'needs' : 'need'} attention, ` : ''
  useTitle(`${attention}${dayMs === nowMs ? 'Today' : longDay(dayMs, zone)}, ${store.name}`)

  const handover = useHandover(find)
  const navigate = useNavigate()
  const goTo = (days: number) =>
    navigate({ to: '/today', search: { ...search, day: addDays(isoDay(dayMs, zone), days) } })
  const print = (ids: readonly string[]) => printing.print(ids.flatMap((id) => find(id) ?? []))
  const clear = () => {
    ticks.clear()
    printing.reset()
  }
  useKeys({
    p: () => print(batch.size > 0 ? batch.ids : ticks.focused(find)),
    // With rows selected that go on no manifest there is nothing to do; with none selected it is the whole
    // day.
    ...(chosen.length > 0 && { m: () => only && navigate({ to: '/manifest', search: { only } }) }),
    escape: clear,
    '[': () => goTo(-1),
    ']': () => goTo(1),
  })

  const axis = useMemo(() => axisOf(store, dayMs), [store, dayMs])
  // Its closing times are the store's of today.
  const closings = dayMs === nowMs ? closingsOf(store) : []
  return (
    <>
      <Head shown={shown} needs={needs} dayMs={dayMs} nowMs={nowMs} goTo={goTo} />
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <section className="day" aria-label="The day’s deliveries">
          <div className="axis">
            <Filters deliveries={data} shown={wanted.length} />
            <AxisHead axis={axis} zone={zone} nowMs={nowMs} closings={closings}>
              {isOn(axis, nowMs) && <NowTag at={placeOn(axis, nowMs)} text={bareClock(nowMs, zone)} />}
            </AxisHead>
          </div>
          {moved > 0 && (
            <button type="button" className="b s moved" onClick={letMove}>
              Update the list ({count(moved, 'change')})
            </button>
          )}
          <div {...reach}>
            <Groups
              list={list}
              items={items}
              keys={keys}
              unfold={unfold}
              axis={axis}
              zone={zone}
              nowMs={nowMs}
              ticks={ticks}
              printed={printed}
            />
          </div>
          <AxisOver axis={axis} nowMs={nowMs} closings={closings} />
        </section>
      )}
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

/** A moment of the day: now if it is today, otherwise noon. */
function momentOf(day: string, nowMs: number, zone: string): number {
  if (day === isoDay(nowMs, zone)) return nowMs
  const noon = Date.parse(`${day}T02:00:00Z`)
  return Number.isNaN(noon) ? nowMs : noon
}
