import { GROUPS, type Group } from './classify.ts'
import type { ClassifiedDelivery, RowGroups } from './group-rows.ts'
import { labelCount } from './print-batch.ts'
import type { ToManifest } from './to-manifest.ts'

/** The items of the day's list in order: group headings, rows, and folded rows. */
export type Item =
  /** `labels`: pages of the `unprinted` deliveries. */
  | { kind: 'heading'; key: string; group: Group; size: number; unprinted: number; labels: number }
  | { kind: 'calm'; key: string }
  | { kind: 'row'; key: string; group: Group; classified: ClassifiedDelivery }
  | { kind: 'line'; key: string; line: ToManifest }
  | { kind: 'folded'; key: string; group: Group; count: number }

export type Printed = Readonly<Record<string, number>>

type Given = {
  shown: RowGroups
  byId: ReadonlyMap<string, ClassifiedDelivery>
  lines: ReadonlyMap<string, ToManifest>
  open: ReadonlySet<Group>
  printed: Printed
}

/** The day as one list. The group that needs attention is shown even if empty; other empty groups are not. */
export function itemsOf({ shown, byId, lines, open, printed }: Given): Item[] {
  return GROUPS.flatMap((group): Item[] => {
    const keys = shown[group].filter((key) => byId.has(key) || lines.has(key))
    const size = keys.length
    if (size === 0 && group !== 'needs') return []
    const { first, count } = fold(group, keys, open, printed)
    const due = group === 'hand_over' ? keys.filter((id) => isUnprinted(id, byId, printed)) : []
    const labels = labelCount(due.flatMap((id) => byId.get(id)?.delivery ?? []))
    return [
      { kind: 'heading', key: group, group, size, unprinted: due.length, labels },
      ...(size === 0 ? [{ kind: 'calm', key: 'calm' } as const] : []),
      ...first.map((key): Item => {
        const line = lines.get(key)
        return line
          ? { kind: 'line', key, line }
          : { kind: 'row', key, group, classified: byId.get(key) as ClassifiedDelivery }
      }),
      ...(count > 0 ? [{ kind: 'folded', key: `folded ${group}`, group, count } as const] : []),
    ]
  })
}

function isUnprinted(id: string, byId: Given['byId'], printed: Printed): boolean {
  return byId.get(id)?.delivery.label_url !== undefined && printed[id] === undefined
}

/**
 * Finished deliveries are folded. Of those to hand over, deliveries with an unprinted label come first; the rest is
 * folded if it is more than a few.
 */
function fold(group: Group, ids: readonly string[], open: ReadonlySet<Group>, printed: Printed) {
  const isFirst = (id: string) => group !== 'done' && (group !== 'hand_over' || printed[id] === undefined)
  const first = ids.filter(isFirst)
  const rest = ids.filter((id) => !isFirst(id))
  const few = group === 'done' ? 0 : 3
  const isWhole = open.has(group) || rest.length <= few
  return isWhole ? { first: [...first, ...rest], count: 0 } : { first, count: rest.length }
}
