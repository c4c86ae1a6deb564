import { type RefObject, useEffect, useMemo } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { storeOf, usePortal } from '../portal.ts'
import { usePrinted } from '../printed.ts'
import { useRestoredRowFocus } from '../rows/restore-row-focus.ts'
import { Spacer } from '../rows/spacer.tsx'
import { useSlice } from '../rows/use-slice.ts'
import type { Ticks } from '../today/use-ticks.ts'
import { Line } from './line.tsx'

type DeliveryListProps = {
  list: RefObject<HTMLUListElement | null>
  deliveries: readonly Delivery[]
  /** With several stores, rows name their store. */
  named: boolean
  nowMs: number
  ticks: Ticks
  /** Called with the last rendered row, so that older ones are loaded in time. */
  drawn(to: number): void
}

const guessPx = () => (innerWidth < 900 ? 101 : 38)

/** Any number of rows; those far from the screen are not rendered. */
export function DeliveryList({ list, deliveries, named, nowMs, ticks, drawn }: DeliveryListProps) {
  const portal = usePortal()
  const printed = usePrinted()
  const keys = useMemo(() => deliveries.map(({ id }) => id), [deliveries])
  const { from, to, abovePx, belowPx } = useSlice(list, keys, guessPx)
  useRestoredRowFocus(list)
  useEffect(() => drawn(to), [drawn, to])
  return (
    <ul className="all-list" ref={list}>
      <Spacer px={abovePx} />
      {deliveries.slice(from, to).map((one) => (
        <Line
          key={one.id}
          delivery={one}
          store={storeOf(portal, one.store_id)}
          here={one.store_id === portal.store.id}
          ticked={ticks.ticked.has(one.id)}
          tick={ticks.tick}
          printedMs={printed[one.id]}
          {...{ named, nowMs }}
        />
      ))}
      <Spacer px={belowPx} />
    </ul>
  )
}
