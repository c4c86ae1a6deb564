import type { Goal, Ratio } from '../ratios.ts'

/** One line of the table: a figure, what it should be, what it is. */
export type Figure = {
  name: string
  /** Null: shown for its own sake. */
  goal: Goal | null
  value: number
  unit: 'ratio' | 'statements' | 'MB' | 'ms'
  /** How steady its limit was, where it has one. */
  ratio?: Ratio
  /** What it was made of: absolute figures of this machine at this hour. */
  beside: string
}

export function atLeast(must: number, aim: number): Goal {
  return { must, aim, better: 'more' }
}

export function atMost(must: number, aim: number): Goal {
  return { must, aim, better: 'less' }
}
