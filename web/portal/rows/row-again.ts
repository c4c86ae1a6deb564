import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { focusedRow } from './step.ts'

/** The row from which each entry of the browser's history was left. */
const left = new Map<string, string>()

/** Whoever comes back to a list has the focus on the row from which he left it, as soon as it is drawn. */
export function useRowAgain(list: RefObject<HTMLElement | null>): void {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  const wanted = useRef<string | null>(null)
  useLayoutEffect(() => {
    wanted.current = left.get(entry) ?? null
    return () => {
      const row = focusedRow()
      if (row !== null) left.set(entry, row)
    }
  }, [entry])
  useEffect(() => {
    if (wanted.current === null || document.activeElement !== document.body) return
    const row = list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(wanted.current)}"] .open`)
    if (!row) return
    wanted.current = null
    row.focus()
  })
}
