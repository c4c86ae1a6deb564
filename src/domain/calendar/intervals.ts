import { firstAbove } from './zone.ts'

/** Open times: sorted, disjoint, half-open `[starts[i], ends[i])`, in minutes since 1970 UTC. */
export type Intervals = { readonly starts: Float64Array; readonly ends: Float64Array }

/** Builds intervals from pairs in any order: merges touching or overlapping ones, drops empty ones. */
export function toIntervals(pairs: readonly (readonly [start: number, end: number])[]): Intervals {
  const starts: number[] = []
  const ends: number[] = []
  for (const [start, end] of pairs.filter(([start, end]) => end > start).sort(([a], [b]) => a - b)) {
    const last = ends.at(-1)
    if (last === undefined || start > last) {
      starts.push(start)
      ends.push(end)
    } else if (end > last) ends[ends.length - 1] = end
  }
  return { starts: Float64Array.from(starts), ends: Float64Array.from(ends) }
}

/** The times that are in both. */
export function intersection(a: Intervals, b: Intervals): Intervals {
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < a.starts.length && j < b.starts.length; ) {
    pairs.push([Math.max(a.starts[i]!, b.starts[j]!), Math.min(a.ends[i]!, b.ends[j]!)])
    if (a.ends[i]! < b.ends[j]!) i++
    else j++
  }
  return toIntervals(pairs)
}

export function isOpenAt(intervals: Intervals, epochMs: number): boolean {
  const next = firstAbove(intervals.ends, epochMs / MINUTE_MS)
  return next < intervals.starts.length && intervals.starts[next]! * MINUTE_MS <= epochMs
}

/** The end of the open interval that contains `epochMs`, in epoch milliseconds; null when closed. */
export function closesAt(intervals: Intervals, epochMs: number): number | null {
  return isOpenAt(intervals, epochMs)
    ? intervals.ends[firstAbove(intervals.ends, epochMs / MINUTE_MS)]! * MINUTE_MS
    : null
}

/** The first open moment at or after `epochMs`, in epoch milliseconds; null when it never opens again. */
export function firstOpenAt(intervals: Intervals, epochMs: number): number | null {
  const next = firstAbove(intervals.ends, epochMs / MINUTE_MS)
  if (next === intervals.starts.length) return null
  return Math.max(epochMs, intervals.starts[next]! * MINUTE_MS)
}

/**
 * The moment when `minutes` of open time have passed since `epochMs`. For 0 it is the first open moment;
 * otherwise it can be the closing time itself. Epoch milliseconds; null when not enough open time is left.
 */
export function addOpenMinutes(intervals: Intervals, epochMs: number, minutes: number): number | null {
  let left = minutes * MINUTE_MS
  for (let i = firstAbove(intervals.ends, epochMs / MINUTE_MS); i < intervals.starts.length; i++) {
    const from = Math.max(epochMs, intervals.starts[i]! * MINUTE_MS)
    const open = intervals.ends[i]! * MINUTE_MS - from
    if (left <= open) return from + left
    left -= open
  }
  return null
}

const MINUTE_MS = 60_000
