import { GROUPS, type Group } from './classify.ts'
import type { RowGroups } from './group-rows.ts'

/** How long a row that leaves its group stays there with its new status. */
export const EXIT_DELAY_MS = 4_000

/** The groups on the screen, and since when each staying row belongs to another group. */
type Shown = { groups: RowGroups; leftMs: ReadonlyMap<string, number> }

type Given = {
  nowMs: number
  /** No row moves while the user points at the list or has the focus in it. */
  held: boolean
  /** The rows that still exist: deleted rows leave the list at once. */
  known: { has(key: string): boolean }
}

/** Every row in its group at once. */
export function showAtOnce(groups: RowGroups): Shown {
  return { groups, leftMs: new Map() }
}

/**
 * The next groups to show, given the ones on the screen and the current ones. A row that leaves its group stays for
 * a while; a new row appears at once; a list that is held stays unchanged.
 */
export function showNext(before: Shown, latest: RowGroups, { nowMs, held, known }: Given): Shown {
  const belongs = groupsOf(latest)
  const leavers = keysOf(before.groups).filter(
    ({ key, group }) => belongs.get(key) !== group && known.has(key),
  )
  const leftMs = new Map(leavers.map(({ key }) => [key, before.leftMs.get(key) ?? nowMs]))
  const isEmpty = keysOf(before.groups).every(({ key }) => !known.has(key))
  if (held && !isEmpty) return { groups: before.groups, leftMs }
  for (const [key, sinceMs] of leftMs) if (nowMs - sinceMs >= EXIT_DELAY_MS) leftMs.delete(key)
  const groups = GROUPS.map((group) => [group, withStayers(before.groups[group], latest[group], leftMs)])
  const next = { groups: Object.fromEntries(groups) as RowGroups, leftMs }
  return isSame(before, next) ? before : next
}

/** When the next staying row leaves; null if none stays. */
export function nextExitMs({ leftMs }: Shown): number | null {
  return leftMs.size === 0 ? null : Math.min(...leftMs.values()) + EXIT_DELAY_MS
}

/** How many rows would move or go if the list were released. */
export function countPendingMoves(shown: RowGroups, latest: RowGroups, known: Given['known']): number {
  const before = groupsOf(shown)
  const after = groupsOf(latest)
  const come = [...after].filter(([key, group]) => before.get(key) !== group)
  const gone = [...before.keys()].filter((key) => !after.has(key) && known.has(key))
  return come.length + gone.length
}

/** Staying rows keep the neighbour before them. */
function withStayers(
  before: readonly string[],
  latest: readonly string[],
  stay: ReadonlyMap<string, number>,
): string[] {
  const after = latest.filter((key) => !stay.has(key))
  for (const [index, key] of before.entries()) {
    if (!stay.has(key)) continue
    const neighbour = before.slice(0, index).findLast((one) => after.includes(one))
    after.splice(neighbour === undefined ? 0 : after.indexOf(neighbour) + 1, 0, key)
  }
  return after
}

function isSame(one: Shown, other: Shown): boolean {
  const isLeft = ([key, sinceMs]: [string, number]) => other.leftMs.get(key) === sinceMs
  return (
    one.leftMs.size === other.leftMs.size &&
    [...one.leftMs].every(isLeft) &&
    GROUPS.every((group) => {
      const [some, others] = [one.groups[group], other.groups[group]]
      return some.length === others.length && some.every((key, index) => key === others[index])
    })
  )
}

function keysOf(groups: RowGroups): { key: string; group: Group }[] {
  return GROUPS.flatMap((group) => groups[group].map((key) => ({ key, group })))
}

function groupsOf(groups: RowGroups): Map<string, Group> {
  return new Map(keysOf(groups).map(({ key, group }) => [key, group]))
}
