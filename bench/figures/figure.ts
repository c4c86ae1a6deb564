import type { Goal, Ratio } from '../ratios.ts'

/** One line of the table: a figure, its goal, its value. */
export type Figure = {
  name: string
  /** Null: for information only. */
  goal: Goal | null
  value: number
  unit: 'ratio' | 'exponent' | 'statements' | 'requests' | 'MB' | 'kB' | 'ms'
  /** Its ratio to the limit, with how steady the limit was; absent without a limit. */
  ratio?: Ratio
  /** The measurement cannot tell whether the goal is met: the verdict is inconclusive. */
  noAsUnknown?: boolean
  /** The figure's parts, as absolute values of this machine at this time. */
  beside: string
  /** How it was measured, for the page. */
  curve?: Curve
}

/** Points to draw, from left to right. */
export type Curve = {
  x: string
  y: string
  /** Both axes are logarithmic; otherwise neither. */
  logarithmic: boolean
  points: readonly (readonly [x: number, y: number])[]
  /** A value of `y`, drawn as a line. */
  limit?: number
}

export function atLeast(must: number, aim: number): Goal {
  return { must, aim, better: 'more' }
}

export function atMost(must: number, aim: number): Goal {
  return { must, aim, better: 'less' }
}
