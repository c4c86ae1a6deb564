import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useCallback, useRef, useState } from 'react'
import { can } from '../../../src/domain/delivery/status.ts'
import { useKeys } from '../keys/use-keys.ts'
import type { Judged } from './arrange.ts'

export type Ticks = ReturnType<typeof useTicks>

/** Which rows are ticked, by pointer or key, and where the focus stands among them. */
export function useTicks(list: RefObject<HTMLElement | null>) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const navigate = useNavigate()

  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('.row[data-id]') ?? [])]
  const ids = () => rows().map(({ dataset }) => dataset.id as string)
  const focusedId = () =>
    (document.activeElement?.closest('.row[data-id]') as HTMLElement | null)?.dataset.id ?? null

  const tick = useCallback((id: string, through: boolean) => {
    const all = [...document.querySelectorAll<HTMLElement>('.row[data-id]')].map(
      ({ dataset }) => dataset.id as string,
    )
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

  const step = (by: number) => {
    const all = rows()
    const at = all.findIndex(({ dataset }) => dataset.id === focusedId())
    const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + by))]
    next?.querySelector<HTMLElement>('.open')?.focus()
  }
  const tickFocused = (through: boolean) => {
    const id = focusedId()
    if (id !== null) tick(id, through)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    x: () => tickFocused(false),
    'shift+x': () => tickFocused(true),
    a: () => {
      const group = document.activeElement?.closest('.row')
      setTicked(new Set(group ? idsOfGroup(group) : ids()))
    },
    e: () => {
      const id = focusedId()
      if (id !== null) void navigate({ to: '/deliveries/$deliveryId/amend', params: { deliveryId: id } })
    },
  })
  return {
    ticked,
    tick,
    clear: () => setTicked(new Set<string>()),
    /** The focused row, where it has a label. */
    focused(byId: ReadonlyMap<string, Judged>): string[] {
      const one = byId.get(focusedId() ?? '')
      return one && can('label', one.delivery) ? [one.delivery.id] : []
    },
  }
}

/** The rows between this one's heading and the next. */
function idsOfGroup(row: Element): string[] {
  const ids: string[] = []
  let heading: Element | null = row
  while (heading && !heading.matches('.grp')) heading = heading.previousElementSibling
  for (let at = heading?.nextElementSibling; at && !at.matches('.grp'); at = at.nextElementSibling) {
    const { id } = (at as HTMLElement).dataset
    if (id !== undefined) ids.push(id)
  }
  return ids
}
