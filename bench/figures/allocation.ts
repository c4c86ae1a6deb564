import type { Goal } from '../ratios.ts'
import { rotated } from '../rounds.ts'
import { startChild } from '../world/child.ts'
import type { World } from '../world/world.ts'
import { atMost, type Figure } from './figure.ts'
import { timeFigure } from './ratio-figure.ts'

/** The best stores of 100,000, in process: nearest beside the bare tree, by time beside one look at every store. */
export async function allocationFigures({ plan }: World): Promise<Figure[]> {
  const child = startChild(new URL('../limits/allocation-process.ts', import.meta.url))
  const figure = async (name: string, what: string, goal: Goal): Promise<Figure> => {
    const micros = (who: 'ours' | 'limit') => () => child.ask<number>({ who, what })
    const rounds = await rotated(plan.rounds, { ours: micros('ours'), limit: micros('limit') })
    return timeFigure(name, goal, rounds, (micros) => `${micros.toFixed(1)} µs`)
  }
  try {
    return [
      await figure('nearest of 100,000 stores ÷ geokdbush', 'nearest', atMost(6, 2.5)),
      await figure('by time of 100,000 stores ÷ one pass of unit vectors', 'by_time', atMost(5, 2)),
    ]
  } finally {
    await child.stop()
  }
}
