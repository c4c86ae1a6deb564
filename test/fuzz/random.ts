/** A random generator with a seed: mulberry32, 32 bits of state. */
export type Random = {
  /** An integer from 0 to `below` − 1. */
  int(below: number): number
  pick<T>(from: readonly T[]): T
  /** True this often, of 1. */
  chance(of: number): boolean
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    int: (below) => Math.floor(next() * below),
    pick: (from) => from[Math.floor(next() * from.length)] as (typeof from)[number],
    chance: (of) => next() < of,
  }
}
