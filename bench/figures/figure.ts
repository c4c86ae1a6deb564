import type { Goal, Ratio } from '../ratios.ts'

/** One line of the table: a figure, what it should be, what it is. */
export type Figure = {
  name: string
  /** Null: shown for its own sake. */
  goal: Goal | null
  value: number
  unit: 'ratio' | 'exponent' | 'statements' | 'requests' | 'MB' | 'ms'
  /** How steady its limit was, where it has one. */
  ratio?: Ratio
  /** It may as well be on the other side of its goal. */
  noAsUnknown?: boolean
  /** What it was made of: absolute figures of this machine at this hour. */
  beside: string
  /** How it came about, for the page. */
  curve?: Curve
}

/** Points to draw, from left to right. */
export type Curve = {
  x: string
  y: string
  /** Both axes; else neither. */
  logarithmic: boolean
  points: readonly (readonly [x: number, y: number])[]
  /** Of `y`; drawn across. */
  limit?: number
}

export function atLeast(must: number, aim: number): Goal {
  return { must, aim, better: 'more' }
}

export function atMost(must: number, aim: number): Goal {
  return { must, aim, better: 'less' }
}
