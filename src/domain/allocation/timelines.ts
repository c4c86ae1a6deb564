import type { Store } from '../account/account.ts'
import type { Position } from '../geo/distance.ts'
import { type Point, toPoint } from './point.ts'

/** An item with the dot product of its place and the destination: the greater, the nearer. */
type Near<T> = { dot: number; item: T }

type NearestList<T> = {
  /** The lowest dot product that can still be among the nearest; it only rises. */
  bar(): number
  /** Adds an item whose dot product reaches the bar. */
  add(near: Near<T>): void
  /** Items that certainly include the nearest of all that were added, nearest first. */
  all(): T[]
}

/** Top-k selection: keeps the `count` nearest, and those that rounding may have ranked behind them. */
function keepNearest<T>(count: number): NearestList<T> {
  let nearest: Near<T>[] = []
  let bar = -1 - SLACK
  let room = 2 * count + 14

  const cut = (): void => {
    nearest.sort((a, b) => b.dot - a.dot)
    const last = nearest[count - 1]
    if (!last) return
    bar = last.dot - SLACK
    nearest = nearest.filter(({ dot }) => dot >= bar)
  }

  return {
    bar: () => bar,
    add: (near) => {
      if (nearest.push(near) < room) return
      cut()
      room = Math.max(room, 2 * nearest.length)
    },
    all: () => {
      cut()
      return nearest.map(({ item }) => item)
    },
  }
}

/** A hundred times the rounding error of a dot product: 9 m around the destination, 4 cm at a kilometre. */
const SLACK = 1e-12

/** Stores that are ready at the same moment for any order: same calendar, same processing minutes. */
export type Timeline = {
  /** From south to north. */
  readonly stores: readonly Store[]
  /** Their places on the unit sphere, in the same order: x, y, z, x, y, z … */
  readonly points: Float64Array
}

/** The timelines of a snapshot's stores. Built once; they live as long as the list. */
export function toTimelines(stores: readonly Store[]): readonly Timeline[] {
  const cached = cache.get(stores)
  if (cached) return cached
  const timelines = [...Map.groupBy(stores, (store) => store.calendar).values()]
    .flatMap((ofCalendar) => [...Map.groupBy(ofCalendar, (store) => store.processingMinutes).values()])
    .map((together): Timeline => {
      const northwards = together.toSorted((a, b) => a.lat - b.lat)
      return { stores: northwards, points: Float64Array.from(northwards.flatMap(toPoint)) }
    })
  cache.set(stores, timelines)
  return timelines
}

/**
 * Nearest-neighbour search: returns stores that certainly include the `count` nearest of all the timelines.
 * The nearer two points of the sphere, the greater their dot product, and it is never greater than the cosine
 * of their difference in latitude. So the search walks each timeline from the destination's latitude to north
 * and to south, and stops when that cosine falls below the `count`-th best product so far: all stores beyond
 * are farther than `count` others.
 */
export function nearestOfTimelines(timelines: readonly Timeline[], at: Position, count: number): Store[] {
  const [x, y, z] = toPoint(at)
  const kept = keepNearest<Store>(count)
  let bar = kept.bar()
  let band = toBand(at, bar)
  const take = (near: Near<Store>): void => {
    kept.add(near)
    if (kept.bar() === bar) return
    bar = kept.bar()
    band = toBand(at, bar)
  }
  for (const { stores, points } of timelines) {
    const middle = firstFrom(points, z)
    for (let i = middle; i < stores.length && points[3 * i + 2]! <= band.top; i++) {
      const dot = x * points[3 * i]! + y * points[3 * i + 1]! + z * points[3 * i + 2]!
      if (dot >= bar) take({ dot, item: stores[i]! })
    }
    for (let i = middle - 1; i >= 0 && points[3 * i + 2]! >= band.bottom; i--) {
      const dot = x * points[3 * i]! + y * points[3 * i + 1]! + z * points[3 * i + 2]!
      if (dot >= bar) take({ dot, item: stores[i]! })
    }
  }
  return kept.all()
}

/** Heights on the unit sphere between which a point's dot product with `at` can reach `bar`. */
function toBand({ lat }: Position, bar: number): { bottom: number; top: number } {
  const angle = Math.acos(Math.max(-1, bar))
  const phi = lat * RADIANS
  return {
    bottom: Math.sin(Math.max(-Math.PI / 2, phi - angle)) - ROUNDING,
    top: Math.sin(Math.min(Math.PI / 2, phi + angle)) + ROUNDING,
  }
}

/** The number of points below the height `z`. */
function firstFrom(points: Float64Array, z: Point[2]): number {
  let low = 0
  let high = points.length / 3
  while (low < high) {
    const middle = (low + high) >>> 1
    if (points[3 * middle + 2]! < z) low = middle + 1
    else high = middle
  }
  return low
}

const cache = new WeakMap<readonly Store[], readonly Timeline[]>()
const RADIANS = Math.PI / 180
const ROUNDING = 1e-12
