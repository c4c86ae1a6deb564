/**
 * Top-k selection: the first `count` items in the order of `compare`. Same result as sorting and slicing, in
 * one pass.
 */
export function firstOf<T>(items: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = []
  for (const item of items) {
    const last = first.at(-1)
    if (first.length >= count && (last === undefined || compare(item, last) >= 0)) continue
    first.splice(placeOf(item, first, compare), 0, item)
    if (first.length > count) first.pop()
  }
  return first
}

function placeOf<T>(item: T, sorted: readonly T[], compare: (a: T, b: T) => number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(sorted[middle]!, item) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
