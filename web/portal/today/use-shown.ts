import { type FocusEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Arrangement } from './arrange.ts'
import { atOnce, countMoved, nextGoMs, showNext } from './stay.ts'

type Known = { has(key: string): boolean }

/**
 * Rows never move under the pointer or the focus: while `held`, everybody stays where he is (what the rows say is fresh
 * all the same) and `moved` counts who would go elsewhere. Of another list, by its `name`, all is shown at once.
 */
export function useShown(latest: Arrangement, held: boolean, known: Known, name: string) {
  const [shown, setShown] = useState(() => atOnce(latest))
  const [named, setNamed] = useState(name)
  if (named !== name) {
    setNamed(name)
    setShown(atOnce(latest))
  }
  const goMs = nextGoMs(shown)
  useEffect(() => {
    const show = (nowMs: number) => setShown((before) => showNext(before, latest, { nowMs, held, known }))
    show(performance.now())
    if (held || goMs === null) return
    // A timer may be early by a little; whoever it is for is due then.
    const timer = setTimeout(() => show(Math.max(goMs, performance.now())), goMs - performance.now())
    return () => clearTimeout(timer)
  }, [latest, held, known, goMs])
  const moved = useMemo(
    () => (held ? countMoved(shown.groups, latest, known) : 0),
    [held, shown.groups, latest, known],
  )
  return { shown: shown.groups, moved, letMove: () => setShown(atOnce(latest)) }
}

/** Whether one reaches for what is in this box with the pointer, or has the focus in it. */
export function useHeld() {
  const box = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  // A row that is taken away with the focus on it tells nobody that it has lost it.
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
