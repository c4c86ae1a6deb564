import { median } from './ratios.ts'

/** A straight line through points, and the interval of its slope. In units of y for each unit of x. */
export type Slope = { value: number; lowest: number; highest: number }

/**
 * The least-squares slope with its 95 % interval, as if the errors of the points were independent: pass means of
 * blocks if neighbours resemble each other. Throws RangeError for fewer than four points.
 */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): Slope {
  if (points.length < 4) throw new RangeError('A slope with an interval needs four points.')
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x0, y0] = [mean(0), mean(1)]
  const spread = points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0)
  const value = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0) / spread
  const freedom = points.length - 2
  const missed = points.reduce((sum, [x, y]) => sum + (y - y0 - value * (x - x0)) ** 2, 0)
  const margin = studentOf(freedom) * Math.sqrt(missed / freedom / spread)
  return { value, lowest: value - margin, highest: value + margin }
}

/**
 * The median of the slopes of all pairs of points with its 95 % interval (Theil 1950; Sen 1968, by Kendall's
 * variance): one step in the first or the last third is not growth; repeated steps are. Throws RangeError for fewer
 * than four points.
 */
export function medianSlopeOf(points: readonly (readonly [x: number, y: number])[]): Slope {
  const n = points.length
  if (n < 4) throw new RangeError('A slope with an interval needs four points.')
  const slopes = points
    .flatMap(([x, y], index) => points.slice(index + 1).map(([x2, y2]) => (y2 - y) / (x2 - x)))
    .sort((a, b) => a - b)
  const margin = (1.96 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)) / 2
  const at = (rank: number) => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(rank)))] as number
  const middle = (slopes.length - 1) / 2
  return { value: median(slopes), lowest: at(middle - margin), highest: at(middle + margin) }
}

/** Means of `blocks` blocks of neighbours, or the points themselves if there are fewer. */
export function blocksOf(
  points: readonly (readonly [x: number, y: number])[],
  blocks: number,
): (readonly [number, number])[] {
  const size = Math.max(1, Math.floor(points.length / blocks))
  return Array.from({ length: Math.floor(points.length / size) }, (_, block) => {
    const these = points.slice(block * size, (block + 1) * size)
    const mean = (axis: 0 | 1) => these.reduce((sum, point) => sum + point[axis], 0) / these.length
    return [mean(0), mean(1)] as const
  })
}

/** Student's t for 95 %, two-sided; within 2 % from 2 degrees of freedom on. */
function studentOf(freedom: number): number {
  return 1.96 + 2.4 / (freedom - 1)
}
