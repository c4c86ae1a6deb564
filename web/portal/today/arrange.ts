import { useEffect, useMemo, useRef, useState } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { GROUPS, type Group, type Judgement } from './judge.ts'

export type Judged = { delivery: Delivery; judgement: Judgement }
export type Arrangement = Readonly<Record<Group, readonly string[]>>

/** Who stands in which group, in order: those in need by what is lost soonest, all others by their window. */
export function arrange(judged: readonly Judged[]): Arrangement {
  const inOrder = judged.toSorted(
    (a, b) => a.judgement.lostMs - b.judgement.lostMs || (a.delivery.id < b.delivery.id ? -1 : 1),
  )
  const groups = GROUPS.map((group) => [
    group,
    inOrder.filter(({ judgement }) => judgement.group === group).map(({ delivery }) => delivery.id),
  ])
  return Object.fromEntries(groups) as Arrangement
}

/**
 * Rows never move under the pointer: while `held`, everybody stays where they are (what they say is fresh all the
 * same) and `moved` counts who would go elsewhere.
 */
export function useArrangement(judged: readonly Judged[], held: boolean) {
  const latest = useMemo(() => arrange(judged), [judged])
  const [shown, setShown] = useState(latest)
  const latestRef = useRef(latest)
  latestRef.current = latest
  const changed = useMemo(() => GROUPS.some((group) => !isSame(latest[group], shown[group])), [latest, shown])
  const empty = GROUPS.every((group) => shown[group].length === 0)
  useEffect(() => {
    if (changed && (!held || empty)) setShown(latestRef.current)
  }, [changed, held, empty])
  const moved = changed && held ? countMoved(shown, latest) : 0
  return { shown, moved, letMove: () => setShown(latestRef.current) }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id, index) => id === others[index])
}

function countMoved(shown: Arrangement, latest: Arrangement): number {
  const before = new Map(GROUPS.flatMap((group) => shown[group].map((id) => [id, group] as const)))
  return GROUPS.flatMap((group) => latest[group].filter((id) => before.get(id) !== group)).length
}
