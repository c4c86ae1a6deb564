import { startChild } from '../environment/child.ts'
import type { Environment } from '../environment/environment.ts'
import type { Goal } from '../ratios.ts'
import { rotated } from '../rounds.ts'
import { atMost, type Figure } from './figure.ts'
import { bySizes, growthFigure } from './growth-figure.ts'
import { timeFigure } from './ratio-figure.ts'

const STORES = 100_000
const GROWING = [1_000, 3_000, 10_000, 30_000, STORES]

/**
 * The best stores of 100,000, in process: nearest compared with a bare tree, by time compared with one pass over all
 * stores.
 */
export async function allocationFigures({ plan }: Environment): Promise<Figure[]> {
  const child = startChild(new URL('../baselines/allocation-process.ts', import.meta.url))
  const figure = async (name: string, what: string, goal: Goal): Promise<Figure> => {
    const micros = (who: 'ours' | 'limit') => () => child.ask<number>({ who, what, stores: STORES })
    const rounds = await rotated(plan.rounds, { ours: micros('ours'), limit: micros('limit') })
    return timeFigure(name, goal, rounds, inMicros)
  }
  const growth = () =>
    bySizes(GROWING, plan.rounds, (stores) => child.ask<number>({ who: 'ours', what: 'nearest', stores }))
  try {
    return [
      await figure('nearest of 100,000 stores ÷ geokdbush', 'nearest', atMost(6, 2.5)),
      await figure('by time of 100,000 stores ÷ one pass of unit vectors', 'by_time', atMost(5, 2)),
      growthFigure('nearest, growth with stores', atMost(0.25, 0.12), await growth(), inMicros),
    ]
  } finally {
    await child.stop()
  }
}

const inMicros = (micros: number) => `${micros.toFixed(1)} µs`
