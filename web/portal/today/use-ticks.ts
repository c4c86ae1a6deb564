import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useCallback, useRef, useState } from 'react'
import { can } from '../../../src/domain/delivery/status.ts'
import { useKeys } from '../keys/use-keys.ts'
import { focusedRow, stepRows } from '../rows/step.ts'
import type { Judged } from './arrange.ts'
import type { Item } from './items.ts'

export type Ticks = ReturnType<typeof useTicks>

/** Which rows are ticked, by pointer or key, whether they are drawn or not. */
export function useTicks(list: RefObject<HTMLElement | null>, items: readonly Item[]) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const latest = useRef(items)
  latest.current = items
  const navigate = useNavigate()

  const tick = useCallback((id: string, through: boolean) => {
    const all = rowsOf(latest.current).map(({ key }) => key)
    const from = through && last.current !== null ? all.indexOf(last.current) : -1
    const to = all.indexOf(id)
    last.current = id
    setTicked((before) => {
      const after = new Set(before)
      if (from >= 0) for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) after.add(one)
      else if (!after.delete(id)) after.add(id)
      return after
    })
  }, [])

  const tickFocused = (through: boolean) => {
    const id = focusedRow()
    if (id !== null) tick(id, through)
  }
  useKeys({
    j: () => stepRows(list.current, 1),
    k: () => stepRows(list.current, -1),
    x: () => tickFocused(false),
    'shift+x': () => tickFocused(true),
    a: () => {
      const rows = rowsOf(items)
      const group = rows.find(({ key }) => key === focusedRow())?.group
      setTicked(new Set(rows.filter((one) => !group || one.group === group).map(({ key }) => key)))
    },
    e: () => {
      const id = focusedRow()
      if (id !== null) void navigate({ to: '/deliveries/$deliveryId/amend', params: { deliveryId: id } })
    },
  })
  return {
    ticked,
    tick,
    clear: () => setTicked(new Set<string>()),
    /** The focused row, where it has a label. */
    focused(byId: ReadonlyMap<string, Judged>): string[] {
      const one = byId.get(focusedRow() ?? '')
      return one && can('label', one.delivery) ? [one.delivery.id] : []
    },
  }
}

function rowsOf(items: readonly Item[]) {
  return items.filter((item) => item.kind === 'row')
}
