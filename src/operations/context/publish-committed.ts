import { setTimeout as sleep } from 'node:timers/promises'
import { publishEvents } from '../../store/deliveries/publish-events.ts'
import type { Deps } from './deps.ts'

/** A backlog of 100,000 events; the next publisher publishes the rest. */
const MAX_PASSES = 100
/** Another publisher holds the account for one statement. */
const HELD_PAUSE_MS = 5
/** A pass that takes longer than this has read the dead rows of many events that were published before. */
const SLOW_MS = 50
const SLOW_MS_PER_EVENT = 0.1
/** A slow pass over all events comes so much later than the one before it, and at least so long. */
const PAUSE_FACTOR = 10
const LEAST_PAUSE_MS = 1_000
/** A transaction that stays open longer has its events published by a pass over all. */
const OPEN_MS = 5_000

/**
 * How far back this process looks for events to publish: normally at all of them. While another transaction keeps vacuum
 * from removing the dead rows of published ones, a pass over all takes longer and longer: then it is made now and then,
 * and the passes between look only at what was written lately.
 */
export type PublishMarks = {
  /** Passes between look at what was written after this position. */
  from: number
  /** What becomes `from` next, and when. */
  next: number
  nextAtMs: number
  /** When a pass looks at all events again. */
  wholeAtMs: number
}

export function publishMarks(): PublishMarks {
  return { from: 0, next: 0, nextAtMs: 0, wholeAtMs: 0 }
}

/** Publishes every event that these accounts had committed before. Whoever reads events does it first. */
export async function publishCommitted(
  { db, publishMarks: marks }: Pick<Deps, 'db' | 'publishMarks'>,
  accountIds: readonly string[],
): Promise<void> {
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const beganMs = performance.now()
    const isWhole = beganMs >= marks.wholeAtMs
    const { count, isDone, highest } = await publishEvents(db, accountIds, isWhole ? 0 : marks.from)
    const tookMs = performance.now() - beganMs
    if (isWhole) marks.wholeAtMs = wholeAgainAtMs(beganMs, tookMs, count)
    advance(marks, highest, beganMs)
    if (isDone) return
    if (count === 0) await sleep(HELD_PAUSE_MS)
  }
}

function wholeAgainAtMs(beganMs: number, tookMs: number, count: number): number {
  if (tookMs <= SLOW_MS + count * SLOW_MS_PER_EVENT) return 0
  return beganMs + Math.max(LEAST_PAUSE_MS, tookMs * PAUSE_FACTOR)
}

function advance(marks: PublishMarks, highest: number, nowMs: number): void {
  if (nowMs < marks.nextAtMs) return
  marks.from = marks.next
  marks.next = highest
  marks.nextAtMs = nowMs + OPEN_MS
}
