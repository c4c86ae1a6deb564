import { randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import type { IdPrefix } from './deps.ts'

/** Random bytes are fetched in bulk: an id takes 16 bytes, and each system call costs a microsecond. */
const random = new Uint8Array(4_096)
let used = random.length

const nextUlid = monotonicFactory(() => {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  return (random[used++] as number) / 256
})

/** A prefixed id that sorts by creation time: `dlv_01k…`. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${nextUlid().toLowerCase()}`
}
