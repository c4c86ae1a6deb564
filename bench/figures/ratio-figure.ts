import { type Goal, median, ratioOf } from '../ratios.ts'
import type { Figure } from './figure.ts'

/** One contender in one round. `cpuMicros`: of the server's process, for each request. */
export type Speed = { perSecond: number; cpuMicros?: number | null }

/** Our time over the limit's, with both beside it in the words of `say`. */
export function timeFigure(
  name: string,
  goal: Goal,
  rounds: readonly Readonly<Record<'ours' | 'limit', number>>[],
  say: (time: number) => string,
): Figure {
  const ratio = ratioOf(rounds)
  const words = (who: 'ours' | 'limit') => say(median(rounds.map((round) => round[who])))
  return {
    name,
    goal,
    value: ratio.value,
    unit: 'ratio',
    ratio,
    beside: `${words('ours')} ÷ ${words('limit')}`,
  }
}

/** Our rate over the limit's, with both rates and the CPU time behind them. */
export function rateFigure(
  name: string,
  goal: Goal | null,
  rounds: readonly Readonly<Record<'ours' | 'limit', Speed>>[],
): Figure {
  const ratio = ratioOf(rounds.map(({ ours, limit }) => ({ ours: ours.perSecond, limit: limit.perSecond })))
  const words = (who: 'ours' | 'limit') => {
    const cpu = rounds.map((round) => round[who].cpuMicros).filter((one) => typeof one === 'number')
    const at = cpu.length > 0 ? ` at ${Math.round(median(cpu))} µs` : ''
    return `${Math.round(median(rounds.map((round) => round[who].perSecond)))}/s${at}`
  }
  return {
    name,
    goal,
    value: ratio.value,
    unit: 'ratio',
    ratio,
    beside: `${words('ours')} ÷ ${words('limit')}`,
  }
}
