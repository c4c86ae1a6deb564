/** The result of one contender in one round, in the unit of its figure: requests or labels a second, or seconds. */
export type Round<Name extends string> = Readonly<Record<Name, number>>

/** A ratio and its reliability. */
export type Ratio = {
  /** Median of the ratios of each round: conditions that both met in the same seconds cancel out. */
  value: number
  lowest: number
  highest: number
  /** Best over worst of the limit: how steady the machine itself was. */
  limitSpread: number
}

/** Above this the machine changed more between rounds than most figures do. */
const STEADY = 1.5

/** Pairs our rounds with those of the limit. Throws RangeError without rounds or with one that is not above 0. */
export function ratioOf(rounds: readonly Round<'ours' | 'limit'>[]): Ratio {
  if (rounds.length === 0) throw new RangeError('A ratio needs at least one round.')
  for (const { ours, limit } of rounds) {
    if (!(ours > 0 && limit > 0))
      throw new RangeError(`Both values of a round must be above 0, not ${ours} over ${limit}.`)
  }
  const ratios = rounds.map(({ ours, limit }) => ours / limit)
  const limits = rounds.map(({ limit }) => limit)
  return {
    value: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    limitSpread: Math.max(...limits) / Math.min(...limits),
  }
}

/** The middle value, or the mean of the two in the middle. Throws RangeError for an empty list. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('An empty list has no median.')
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] as number
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

export type Goal = { must: number; aim: number; better: 'more' | 'less' }
export type Verdict = 'aim' | 'must' | 'below must' | 'inconclusive'

/** Compares a figure with its goal. A limit that was not steady proves nothing. */
export function verdictOf(value: number, { must, aim, better }: Goal, limitSpread = 1): Verdict {
  if (limitSpread > STEADY) return 'inconclusive'
  const reaches = (goal: number) => (better === 'more' ? value >= goal : value <= goal)
  if (reaches(aim)) return 'aim'
  return reaches(must) ? 'must' : 'below must'
}
