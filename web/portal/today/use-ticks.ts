import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useCallback, useRef, useState } from 'react'
import { can } from '../../../src/domain/delivery/status.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { useKeys } from '../keys/use-keys.ts'
import { focusedRow, stepRows } from '../rows/step.ts'

export type Ticks = ReturnType<typeof useTicks>
/** A row by its delivery's id; rows of a group are selected together. */
type Tickable = { key: string; group?: string }

/** The selected rows, by pointer or key, whether they are rendered or not. */
export function useTicks(list: RefObject<HTMLElement | null>, rows: readonly Tickable[]) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const latest = useRef(rows)
  latest.current = rows
  const navigate = useNavigate()

  const tick = useCallback((id: string, through: boolean) => {
    const all = latest.current.map(({ key }) => key)
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
    /** The focused row, if it has a label. */
    focused(find: (id: string) => Delivery | undefined): string[] {
      const one = find(focusedRow() ?? '')
      return one && can('label', one) ? [one.id] : []
    },
  }
}
