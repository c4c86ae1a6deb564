/** An item with the dot product of its place and the destination: the greater, the nearer. */
export type Near<T> = { dot: number; what: T }

export type NearestKept<T> = {
  /** The lowest dot product that can still be among the nearest; it only rises. */
  bar(): number
  /** Adds an item whose dot product reaches the bar. */
  add(near: Near<T>): void
  /** Items that certainly include the nearest of all that were added, nearest first. */
  all(): T[]
}

/** Top-k selection: keeps the `count` nearest, and those that rounding may have ranked behind them. */
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

/** A hundred times the rounding error of a dot product: 9 m around the destination, 4 cm at a kilometre. */
const SLACK = 1e-12
