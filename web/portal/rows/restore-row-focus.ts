import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { isFocusFree } from '../keys/use-kept-focus.ts'
import { focusedRow } from './step.ts'

/** The row that was focused when the user left each entry of the browser's history. */
const left = new Map<string, string>()

/** When the user returns to a list, the row that they left gets the focus as soon as it is rendered. */
export function useRestoredRowFocus(list: RefObject<HTMLElement | null>): void {
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
    if (wanted.current === null || !isFocusFree()) return
    const row = list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(wanted.current)}"] .open`)
    if (!row) return
    wanted.current = null
    row.focus()
  })
}
