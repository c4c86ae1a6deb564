import { monotonicFactory } from 'ulid'
import type { IdPrefix } from './deps.ts'

const nextUlid = monotonicFactory()

/** A prefixed id that sorts by the time it was made: `dlv_01k…`. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${nextUlid().toLowerCase()}`
}
