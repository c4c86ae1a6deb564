/** The top of each row of a list in pixels, and after the last one the end of the list. */
export function toRowOffsets(count: number, heightOf: (index: number) => number): Float64Array {
  const tops = new Float64Array(count + 1)
  for (let index = 0; index < count; index++) tops[index + 1] = (tops[index] as number) + heightOf(index)
  return tops
}

/** Rows are rendered in steps, so that not every pixel of scrolling renders again. */
const STEP = 8

/** The rows between two offsets, with a few more at both ends; `to` is excluded. */
export function rowsBetween(tops: Float64Array, fromPx: number, toPx: number): { from: number; to: number } {
  const count = tops.length - 1
  const from = Math.max(0, rowAt(tops, fromPx))
  const to = Math.min(count, rowAt(tops, toPx) + 1)
  return { from: from - (from % STEP), to: Math.min(count, Math.ceil(to / STEP) * STEP) }
}

/** The last row that starts at or above this offset. */
function rowAt(tops: Float64Array, px: number): number {
  let low = 0
  let high = tops.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((tops[middle] as number) <= px) low = middle
    else high = middle - 1
  }
  return low
}
