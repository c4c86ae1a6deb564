import type { RefObject } from 'react'
import type { Axis } from '../../shared/day-rail.tsx'
import { useRestoredRowFocus } from '../rows/restore-row-focus.ts'
import { Spacer } from '../rows/spacer.tsx'
import { useSlice } from '../rows/use-slice.ts'
import type { Group } from './classify.ts'
import type { Item, Printed } from './items.ts'
import { ManifestLine } from './manifest-line.tsx'
import { formatLabelCount } from './print-batch.ts'
import { Row } from './row.tsx'
import type { Ticks } from './use-ticks.ts'

const TITLES: Readonly<Record<Group, string>> = {
  needs: 'Needs attention',
  hand_over: 'To hand over',
  waiting: 'Waiting to be booked',
  road: 'On the road',
  done: 'Done',
}

type Day = { axis: Axis; zone: string; nowMs: number; ticks: Ticks; printed: Printed }
type GroupsProps = Day & {
  list: RefObject<HTMLUListElement | null>
  items: readonly Item[]
  keys: readonly string[]
  unfold(group: Group): void
}

const guessPx = () => (innerWidth < 900 ? 88 : 38)

/** All groups in one list, so that one line of the current time runs through it. */
export function Groups({ list, items, keys, ...rest }: GroupsProps) {
  const { from, to, abovePx, belowPx } = useSlice(list, keys, guessPx)
  useRestoredRowFocus(list)
  return (
    <ul className="list" ref={list}>
      <Spacer px={abovePx} />
      {items.slice(from, to).map((item) => (
        <ItemOfDay key={item.key} item={item} {...rest} />
      ))}
      <Spacer px={belowPx} />
    </ul>
  )
}

type ItemProps = Day & { item: Item; unfold(group: Group): void }

function ItemOfDay({ item, unfold, ticks: { ticked, tick }, printed, ...day }: ItemProps) {
  switch (item.kind) {
    case 'heading':
      return <Heading heading={item} />
    case 'calm':
      return <li className="calm">Nothing needs attention.</li>
    case 'row': {
      const { key: id, classified } = item
      return <Row {...classified} {...day} ticked={ticked.has(id)} tick={tick} printedMs={printed[id]} />
    }
    case 'line':
      return <ManifestLine line={item.line} {...day} />
    case 'folded':
      return <Folded folded={item} unfold={unfold} />
  }
}

type Of<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>

function Heading({ heading: { group, size, unprinted, labels } }: { heading: Of<'heading'> }) {
  return (
    <li className="grp">
      <h2>
        {TITLES[group]} <span>{size.toLocaleString('en-AU')}</span>
      </h2>
      {unprinted > 0 && <span className="gx">{formatLabelCount(labels, unprinted)} not printed</span>}
    </li>
  )
}

type FoldedProps = { folded: Of<'folded'>; unfold(group: Group): void }

function Folded({ folded: { group, count }, unfold }: FoldedProps) {
  return (
    <li className="more">
      <button type="button" className="b quiet linklike" onClick={() => unfold(group)}>
        {group !== 'done' ? `Show ${count} more` : count === 1 ? 'Show it' : `Show all ${count}`}
      </button>
      <span className="dim">{group === 'hand_over' && 'labels printed, waiting for pickup'}</span>
    </li>
  )
}
