import { growthOf, type Point } from '../growth.ts'
import { type Goal, median } from '../ratios.ts'
import { rotated } from '../rounds.ts'
import type { Figure } from './figure.ts'

/** The time of each size, once a round, starting with another size each time. */
export async function bySizes(
  sizes: readonly number[],
  rounds: number,
  timeOf: (size: number) => Promise<number>,
): Promise<Point[][]> {
  const contenders = Object.fromEntries(sizes.map((size) => [String(size), () => timeOf(size)]))
  const measured = await rotated(rounds, contenders)
  return measured.map((round) => sizes.map((size) => ({ size, time: round[String(size)] as number })))
}

/** How time grows with size, as an exponent, with the times of the smallest and the largest size. */
export function growthFigure(
  name: string,
  goal: Goal | null,
  rounds: readonly (readonly Point[])[],
  say: (time: number) => string,
): Figure {
  const ratio = growthOf(rounds)
  const middle = (rounds[0] as readonly Point[]).map(({ size }, index) => ({
    size,
    time: median(rounds.map((points) => (points[index] as Point).time)),
  }))
  const [first, last] = [middle[0] as Point, middle.at(-1) as Point]
  const words = ({ size, time }: Point) => `${say(time)} at ${size.toLocaleString('en')}`
  return {
    name,
    goal,
    value: ratio.value,
    unit: 'exponent',
    ratio,
    beside: `${words(first)}, ${words(last)}`,
    curve: {
      x: 'size',
      y: 'time of the smallest = 1',
      logarithmic: true,
      points: middle.map(({ size, time }) => [size, time / first.time]),
    },
  }
}
