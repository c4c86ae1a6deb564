import { type RefObject, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import { rowsBetween, toRowOffsets } from './row-offsets.ts'

/** Shorter lists are rendered whole: the browser's own search finds everything in them. */
const WHOLE = 150
/** Rows rendered before the size of the screen is known. */
const FIRST = 40
/** Rendered beyond both edges of the screen, so that the wheel and the keyboard find rows there. */
const MARGIN_PX = 700

/** The part of a list that is rendered, and the heights of the rest above and below it. */
export type Slice = { from: number; to: number; abovePx: number; belowPx: number }

/**
 * Which rows of a long list are near the screen. The list's elements must be the rendered rows in order, between two
 * of `Spacer`. Heights are measured as rows are rendered; `guessPx`, which must stay the same function, stands for
 * rows that never were.
 */
export function useSlice(
  list: RefObject<HTMLElement | null>,
  keys: readonly string[],
  guessPx: (key: string) => number,
): Slice {
  const measured = useRef(new Map<string, number>())
  const [lessons, learn] = useReducer((before: number) => before + 1, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the measured heights change with each measurement.
  const tops = useMemo(
    () =>
      toRowOffsets(keys.length, (index) => {
        const key = keys[index] as string
        return measured.current.get(key) ?? guessPx(key)
      }),
    [keys, guessPx, lessons],
  )
  const whole = keys.length <= WHOLE
  const [near, setNear] = useState({ from: 0, to: FIRST })
  const from = whole ? 0 : Math.min(near.from, keys.length)
  const to = whole ? keys.length : Math.min(near.to, keys.length)

  useEffect(() => {
    if (whole) return
    const look = () => {
      const above = -(list.current?.getBoundingClientRect().top ?? 0)
      const seen = rowsBetween(tops, above - MARGIN_PX, above + innerHeight + MARGIN_PX)
      setNear((before) => (before.from === seen.from && before.to === seen.to ? before : seen))
    }
    const forget = () => {
      measured.current.clear()
      learn()
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', forget)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', forget)
    }
  }, [list, tops, whole])

  useLayoutEffect(() => {
    if (whole || !list.current) return
    let updates = false
    for (const [at, row] of [...list.current.children].slice(1, -1).entries()) {
      const key = keys[from + at]
      const { height } = row.getBoundingClientRect()
      if (key === undefined || (measured.current.get(key) ?? guessPx(key)) === height) continue
      measured.current.set(key, height)
      updates = true
    }
    if (updates) learn()
  })
  const end = tops.at(-1) as number
  return { from, to, abovePx: tops[from] as number, belowPx: end - (tops[to] as number) }
}
