import { median, ratioOf } from '../ratios.ts'
import { rotated } from '../rounds.ts'
import { startChild } from '../world/child.ts'
import type { World } from '../world/world.ts'
import { atMost, type Figure } from './figure.ts'

/** The best stores of 100,000, in process: nearest beside the bare tree, by time beside one look at every store. */
export async function allocationFigures({ plan }: World): Promise<Figure[]> {
  const child = startChild(new URL('../limits/allocation-process.ts', import.meta.url))
  const figure = async (name: string, what: string, goal: Figure['goal']): Promise<Figure> => {
    const micros = (who: 'ours' | 'limit') => () => child.ask<number>({ who, what })
    const rounds = await rotated(plan.rounds, { ours: micros('ours'), limit: micros('limit') })
    const words = (who: 'ours' | 'limit') => `${median(rounds.map((round) => round[who])).toFixed(1)} µs`
    const ratio = ratioOf(rounds)
    return {
      name,
      goal,
      value: ratio.value,
      unit: 'ratio',
      ratio,
      beside: `${words('ours')} ÷ ${words('limit')}`,
    }
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
