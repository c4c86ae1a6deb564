import type { Arrangement } from './arrange.ts'
import { GROUPS, type Group } from './judge.ts'

/** So long a row that leaves its group stays there with its new word. */
export const STAY_MS = 4_000

/** What is on the screen, and of those who belong elsewhere since when they do. */
type Shown = { groups: Arrangement; leftMs: ReadonlyMap<string, number> }

type Given = {
  nowMs: number
  /** While one reaches for the list nobody moves. */
  held: boolean
  /** What there still is to show: what is gone altogether cannot stay. */
  known: { has(key: string): boolean }
}

/** Everybody at his place at once. */
export function atOnce(groups: Arrangement): Shown {
  return { groups, leftMs: new Map() }
}

/**
 * What is shown next, given what was shown and where everybody belongs by now. Whoever leaves his group stays a while
 * where he was; whoever comes from nowhere is there at once, but for a list that is held: that stays as it is.
 */
export function showNext(before: Shown, latest: Arrangement, { nowMs, held, known }: Given): Shown {
  const belongs = groupsOf(latest)
  const leavers = keysOf(before.groups).filter(
    ({ key, group }) => belongs.get(key) !== group && known.has(key),
  )
  const leftMs = new Map(leavers.map(({ key }) => [key, before.leftMs.get(key) ?? nowMs]))
  const isEmpty = keysOf(before.groups).every(({ key }) => !known.has(key))
  if (held && !isEmpty) return { groups: before.groups, leftMs }
  for (const [key, sinceMs] of leftMs) if (nowMs - sinceMs >= STAY_MS) leftMs.delete(key)
  const groups = GROUPS.map((group) => [group, withStayers(before.groups[group], latest[group], leftMs)])
  const next = { groups: Object.fromEntries(groups) as Arrangement, leftMs }
  return isSame(before, next) ? before : next
}

/** When the next of those who stay has to go; null where nobody stays. */
export function nextGoMs({ leftMs }: Shown): number | null {
  return leftMs.size === 0 ? null : Math.min(...leftMs.values()) + STAY_MS
}

/** How many would stand elsewhere, or nowhere, were the list let go. */
export function countMoved(shown: Arrangement, latest: Arrangement, known: Given['known']): number {
  const before = groupsOf(shown)
  const after = groupsOf(latest)
  const come = [...after].filter(([key, group]) => before.get(key) !== group)
  const gone = [...before.keys()].filter((key) => !after.has(key) && known.has(key))
  return come.length + gone.length
}

/** Those who stay keep the neighbour before them. */
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

function keysOf(groups: Arrangement): { key: string; group: Group }[] {
  return GROUPS.flatMap((group) => groups[group].map((key) => ({ key, group })))
}

function groupsOf(groups: Arrangement): Map<string, Group> {
  return new Map(keysOf(groups).map(({ key, group }) => [key, group]))
}
