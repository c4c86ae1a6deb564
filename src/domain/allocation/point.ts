import type { Position } from '../geo/distance.ts'

/** A place on the unit sphere. */
export type Point = [x: number, y: number, z: number]

export function toPoint({ lat, lng }: Position): Point {
  const phi = lat * RADIANS
  const lambda = lng * RADIANS
  const ring = Math.cos(phi)
  return [ring * Math.cos(lambda), ring * Math.sin(lambda), Math.sin(phi)]
}

const RADIANS = Math.PI / 180
