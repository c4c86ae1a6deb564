import { Fragment, type RefObject, useState } from 'react'
import type { Axis } from '../../shared/day-rail.tsx'
import type { Arrangement, Judged } from './arrange.ts'
import { GROUPS, type Group } from './judge.ts'
import { ManifestLine } from './manifest-line.tsx'
import { Row } from './row.tsx'
import type { ToManifest } from './to-manifest.ts'
import type { Ticks } from './use-ticks.ts'

const TITLES: Readonly<Record<Group, string>> = {
  needs: 'Needs you',
  hand_over: 'Hand over',
  waiting: 'Waiting to be booked',
  road: 'On the road',
  done: 'Done',
}

type GroupsProps = {
  list: RefObject<HTMLUListElement | null>
  shown: Arrangement
  byId: ReadonlyMap<string, Judged>
  lines: readonly ToManifest[]
  axis: Axis
  zone: string
  nowMs: number
  ticks: Ticks
  printed: Readonly<Record<string, number>>
}

/** All groups in one list, so that one now line runs through it. What is done with is folded away. */
export function Groups({ list, shown, byId, lines, axis, zone, nowMs, ticks, printed }: GroupsProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const unfold = (group: string) => setOpen((before) => new Set(before).add(group))
  const rows = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const one = byId.get(id)
      if (!one) return []
      const ticked = ticks.ticked.has(id)
      const { tick } = ticks
      return <Row key={id} {...one} {...{ axis, zone, nowMs, ticked, tick }} printedMs={printed[id]} />
    })
  return (
    <ul className="list" ref={list}>
      {GROUPS.map((group) => {
        const { first, folded } = fold(group, shown[group], open, printed)
        const extra = group === 'needs' ? lines : []
        const size = shown[group].length + extra.length
        if (size === 0 && group !== 'needs') return null
        return (
          <Fragment key={group}>
            <li className="grp">
              <h2>
                {TITLES[group]} <span>{size}</span>
              </h2>
              {group === 'hand_over' && <Unprinted ids={shown.hand_over} byId={byId} printed={printed} />}
            </li>
            {size === 0 && <li className="calm">Nothing needs you.</li>}
            {rows(first)}
            {extra.map((line) => (
              <ManifestLine key={line.carrier} {...{ line, axis, zone, nowMs }} />
            ))}
            {folded > 0 && (
              <li className="more">
                <button type="button" className="b quiet linklike" onClick={() => unfold(group)}>
                  {group === 'done' ? `Show ${folded}` : `${folded} more`}
                </button>
                <span className="dim">
                  {group === 'hand_over' && 'labels printed, waiting to be fetched'}
                </span>
              </li>
            )}
          </Fragment>
        )
      })}
    </ul>
  )
}

/** Done is folded; of what is to hand over, that whose label has come out, once it is more than a few. */
function fold(
  group: Group,
  ids: readonly string[],
  open: ReadonlySet<string>,
  printed: GroupsProps['printed'],
) {
  if (open.has(group)) return { first: ids, folded: 0 }
  if (group === 'done') return { first: [], folded: ids.length }
  if (group !== 'hand_over') return { first: ids, folded: 0 }
  const first = ids.filter((id) => printed[id] === undefined)
  return ids.length - first.length > 3
    ? { first, folded: ids.length - first.length }
    : { first: ids, folded: 0 }
}

function Unprinted({
  ids,
  byId,
  printed,
}: { ids: readonly string[] } & Pick<GroupsProps, 'byId' | 'printed'>) {
  const waiting = ids.filter((id) => byId.get(id)?.delivery.label_url && printed[id] === undefined).length
  if (waiting === 0) return null
  return <span className="gx">{waiting === 1 ? '1 label' : `${waiting} labels`} not printed</span>
}
