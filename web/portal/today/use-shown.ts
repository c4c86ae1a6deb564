import { type FocusEvent, useEffect, useMemo, useRef, useState } from 'react'
import { countPendingMoves, nextExitMs, showAtOnce, showNext } from './exit-delay.ts'
import type { RowGroups } from './group-rows.ts'

type Known = { has(key: string): boolean }

/**
 * Rows never move under the pointer or the focus: while `held`, every row stays in its place (its content is current
 * all the same) and `moved` counts pending moves. A list with another `name` is shown at once.
 */
export function useShown(latest: RowGroups, held: boolean, known: Known, name: string) {
  const [shown, setShown] = useState(() => showAtOnce(latest))
  const [named, setNamed] = useState(name)
  if (named !== name) {
    setNamed(name)
    setShown(showAtOnce(latest))
  }
  const goMs = nextExitMs(shown)
  useEffect(() => {
    const show = (nowMs: number) => setShown((before) => showNext(before, latest, { nowMs, held, known }))
    show(performance.now())
    if (held || goMs === null) return
    // A timer may be a little early; its row is due then.
    const timer = setTimeout(() => show(Math.max(goMs, performance.now())), goMs - performance.now())
    return () => clearTimeout(timer)
  }, [latest, held, known, goMs])
  const moved = useMemo(
    () => (held ? countPendingMoves(shown.groups, latest, known) : 0),
    [held, shown.groups, latest, known],
  )
  return { shown: shown.groups, moved, letMove: () => setShown(showAtOnce(latest)) }
}

/** Whether the pointer is on this element, or the focus in it. */
export function useHeld() {
  const box = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  // A removed row that had the focus sends no blur event.
  useEffect(() => {
    if (focused && !box.current?.contains(document.activeElement)) setFocused(false)
  })
  const reach = {
    ref: box,
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      setFocused(currentTarget.contains(relatedTarget)),
  }
  return { held: pointed || focused, reach }
}
