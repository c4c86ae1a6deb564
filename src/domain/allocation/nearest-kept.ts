/** Something with the dot product of its place and the destination: the greater, the nearer. */
export type Near<T> = { dot: number; what: T }

export type NearestKept<T> = {
  /** Below it nothing can be among the nearest; it only rises. */
  bar(): number
  /** Takes one that reaches the bar. */
  add(near: Near<T>): void
  /** What surely holds the nearest of all that were added, nearest first. */
  all(): T[]
}

/** Keeps the `count` nearest, and those that rounding may have put behind them. */
export function nearestKept<T>(count: number): NearestKept<T> {
  let kept: Near<T>[] = []
  let bar = -1 - SLACK
  let room = 2 * count + 14

  const cut = (): void => {
    kept.sort((a, b) => b.dot - a.dot)
    const last = kept[count - 1]
    if (!last) return
    bar = last.dot - SLACK
    kept = kept.filter(({ dot }) => dot >= bar)
  }

  return {
    bar: () => bar,
    add: (near) => {
      if (kept.push(near) < room) return
      cut()
      room = Math.max(room, 2 * kept.length)
    },
    all: () => {
      cut()
      return kept.map(({ what }) => what)
    },
  }
}

/** A hundred times what rounding can do to a dot product; 9 m around the destination, 4 cm at a kilometre. */
const SLACK = 1e-12
