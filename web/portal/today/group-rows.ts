import type { Delivery } from '../../shared/api.generated.ts'
import { type Classification, GROUPS, type Group } from './classify.ts'
import { keyOf, soonOf, type ToManifest } from './to-manifest.ts'

export type ClassifiedDelivery = { delivery: Delivery; classification: Classification }
/** The keys of the rows of each group, in order. */
export type RowGroups = Readonly<Record<Group, readonly string[]>>

/**
 * Sorts rows that need attention by their deadline, with a carrier that closes soon among them and any other carrier
 * behind them; all other rows by their window. A carrier whose deliveries are all on manifests has no row.
 */
export function groupRows(
  classified: readonly ClassifiedDelivery[],
  lines: readonly ToManifest[],
  nowMs: number,
): RowGroups {
  const left = lines.filter(({ deliveries }) => deliveries > 0)
  const soon = left.flatMap((line) => {
    const close = soonOf(line, nowMs)
    return close ? [{ key: keyOf(line), group: 'needs' as Group, deadlineMs: close.atMs }] : []
  })
  const places = [
    ...classified.map(({ delivery: { id }, classification: { group, deadlineMs } }) => ({
      key: id,
      group,
      deadlineMs,
    })),
    ...soon,
  ].toSorted((a, b) => a.deadlineMs - b.deadlineMs || (a.key < b.key ? -1 : 1))
  const groups = GROUPS.map((group) => [
    group,
    places.filter((place) => place.group === group).map(({ key }) => key),
  ])
  const { needs, ...others } = Object.fromEntries(groups) as Record<Group, string[]>
  const later = left.map(keyOf).filter((key) => !soon.some((one) => one.key === key))
  return { ...others, needs: [...needs, ...later] }
}
