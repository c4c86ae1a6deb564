/** Random numbers that the same seed makes again (mulberry32, 32 bits of state). */
export function seeded(seed: number) {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    /** An integer from 0 to `max` − 1. */
    below: (max: number) => Math.floor(next() * max),
    chance: (probability: number) => next() < probability,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  }
}

export type Random = ReturnType<typeof seeded>

/** The item whose share `number` falls into, shares added up in order; null if the shares end before. */
export function pickByShare<T>(items: readonly T[], shareOf: (item: T) => number, number: number): T | null {
  let reached = 0
  return (
    items.find((item) => {
      reached += shareOf(item)
      return number < reached
    }) ?? null
  )
}
