import { useMemo } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { usePortal } from '../portal.ts'
import { classify, type Group } from './classify.ts'
import { isWanted, type Wanted } from './filters.tsx'
import { groupRows } from './group-rows.ts'
import { itemsOf, type Printed } from './items.ts'
import { keyOf, toManifest } from './to-manifest.ts'
import { useShown } from './use-shown.ts'

type Given = {
  data: readonly Delivery[] | undefined
  search: Wanted
  /** Their day. */
  day: string
  nowMs: number
  held: boolean
  open: ReadonlySet<Group>
  printed: Printed
}

/** The day as the list on the screen, and the number of pending moves. */
export function useItems({ data, search, day, nowMs, held, open, printed }: Given) {
  const { store } = usePortal()
  const classified = useMemo(
    // The carrier's line says the cut-off once for all its deliveries.
    () => (data ?? []).map((delivery) => ({ delivery, classification: classify(delivery, [], nowMs) })),
    [data, nowMs],
  )
  const byId = useMemo(() => new Map(classified.map((one) => [one.delivery.id, one])), [classified])
  const wanted = useMemo(
    () => classified.filter(({ delivery }) => isWanted(delivery, search)),
    [classified, search],
  )
  const lines = useMemo(() => {
    const all = toManifest(
      wanted.map(({ delivery }) => delivery),
      store.services,
    )
    return new Map(all.map((line) => [keyOf(line), line]))
  }, [wanted, store.services])
  const latest = useMemo(() => groupRows(wanted, [...lines.values()], nowMs), [wanted, lines, nowMs])
  const known = useMemo(() => ({ has: (key: string) => byId.has(key) || lines.has(key) }), [byId, lines])
  const name = [store.reference, day, search.carrier, search.state].join(' ')
  const { shown, moved, letMove } = useShown(latest, held, known, name)
  const items = useMemo(
    () => itemsOf({ shown, byId, lines, open, printed }),
    [shown, byId, lines, open, printed],
  )
  return { items, shown, moved, letMove, byId, wanted }
}
