import { median, type Ratio } from './ratios.ts'

/** The time of one size, in any unit: the same in all points of a series. */
export type Point = { size: number; time: number }

/**
 * The exponent of growth: the slope of the least-squares line through the logarithms of sizes and times. 0 is no
 * growth, 1 is linear. Throws RangeError with fewer than two sizes, or for a time that is not above 0.
 */
export function exponentOf(points: readonly Point[]): number {
  if (new Set(points.map(({ size }) => size)).size < 2)
    throw new RangeError('Growth needs at least two sizes.')
  if (!points.every(({ size, time }) => size > 0 && time > 0)) throw new RangeError('A time must be above 0.')
  const xs = points.map(({ size }) => Math.log(size))
  const ys = points.map(({ time }) => Math.log(time))
  const [x, y] = [mean(xs), mean(ys)]
  const above = xs.reduce((sum, one, index) => sum + (one - x) * ((ys[index] as number) - y), 0)
  return above / xs.reduce((sum, one) => sum + (one - x) ** 2, 0)
}

/**
 * The median of the exponents of the rounds. The smallest size is the reference: if its time differs between rounds,
 * the machine changed and not the size.
 */
export function growthOf(rounds: readonly (readonly Point[])[]): Ratio {
  const exponents = rounds.map(exponentOf)
  const smallest = rounds.map((points) => points.reduce((min, one) => (one.size < min.size ? one : min)).time)
  return {
    value: median(exponents),
    lowest: Math.min(...exponents),
    highest: Math.max(...exponents),
    limitSpread: Math.max(...smallest) / Math.min(...smallest),
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
