import { type Goal, median, ratioOf } from '../ratios.ts'
import type { Figure } from './figure.ts'

/** One contender in one round. `cpuMicros`: of the server's process, for each request. */
export type Speed = { perSecond: number; cpuMicros?: number | null }

type Side = 'ours' | 'limit'

/** Our time over the limit's, with both beside it as `say` formats them. */
export function timeFigure(
  name: string,
  goal: Goal | null,
  rounds: readonly Readonly<Record<Side, number>>[],
  say: (time: number) => string,
): Figure {
  return ratioFigure(name, goal, rounds, (who) => say(median(rounds.map((round) => round[who]))))
}

/** Our rate over the limit's, with both rates and the CPU time behind them. */
export function rateFigure(
  name: string,
  goal: Goal | null,
  rounds: readonly Readonly<Record<Side, Speed>>[],
): Figure {
  const rates = rounds.map(({ ours, limit }) => ({ ours: ours.perSecond, limit: limit.perSecond }))
  return ratioFigure(name, goal, rates, (who) => {
    const cpu = rounds.map((round) => round[who].cpuMicros).filter((one) => typeof one === 'number')
    const at = cpu.length > 0 ? ` at ${Math.round(median(cpu))} µs` : ''
    return `${Math.round(median(rates.map((rate) => rate[who])))}/s${at}`
  })
}

function ratioFigure(
  name: string,
  goal: Goal | null,
  rounds: readonly Readonly<Record<Side, number>>[],
  words: (who: Side) => string,
): Figure {
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
