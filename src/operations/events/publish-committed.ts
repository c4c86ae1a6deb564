import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../store/db/db.ts'
import { engineOf } from '../../store/db/engine.ts'
import { findUnpublishedAccounts, publishEvents } from '../../store/deliveries/publish-events.ts'

/** Enough passes for a backlog of 100,000 events; the next publisher publishes the rest. */
const MAX_PASSES = 100
/** Pause while another publisher holds the account's lock for one statement. */
const HELD_PAUSE_MS = 5
/** A slower pass has read the dead rows of many events that were published before. */
const SLOW_MS = 50
const SLOW_MS_PER_EVENT = 0.1
/** After a slow full pass, the next full pass waits this multiple of its duration, and at least the time below. */
const PAUSE_FACTOR = 10
const MIN_PAUSE_MS = 1_000
/** If a transaction stays open longer, its events are published by a full pass. */
const OPEN_MS = 5_000

/**
 * Transactional outbox: how far back this process looks for events to publish. Normally it looks at all of them. While
 * another transaction keeps vacuum from removing the dead rows of published events, a full pass takes longer and
 * longer. Full passes are then made now and then, and the passes in between read only recent rows.
 */
export type PublishMarks = {
  /** Passes in between read rows written after this position. */
  from: number
  /** The next value of `from`, and when it applies. */
  next: number
  nextAtMs: number
  /** When the next full pass is due. */
  wholeAtMs: number
}

export function publishMarks(): PublishMarks {
  return { from: 0, next: 0, nextAtMs: 0, wholeAtMs: 0 }
}

/**
 * Publishes every event that these accounts had committed before the call. Every reader of events calls it first.
 * Returns how many it published.
 */
export async function publishCommitted(
  { db, publishMarks: marks }: { db: Db; publishMarks: PublishMarks },
  accountIds: readonly string[],
): Promise<number> {
  let published = 0
  let remaining = accountIds
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const beganMs = performance.now()
    const isWhole = beganMs >= marks.wholeAtMs
    const result = await publishEvents(db, remaining, isWhole ? 0 : marks.from)
    const { count, isDone, highest } = result
    remaining = result.remaining ?? remaining
    const tookMs = performance.now() - beganMs
    if (isWhole) marks.wholeAtMs = wholeAgainAtMs(beganMs, tookMs, count)
    advance(marks, highest, beganMs)
    published += count
    if (isDone) break
    if (count === 0) await sleep(HELD_PAUSE_MS)
  }
  return published
}

/**
 * Publishes the events of every account; asks only those that have some, unless finding them is slow at the moment. On
 * Citus it always asks only those, because each account takes a statement. Returns how many it published.
 */
export async function publishEveryAccount(
  deps: { db: Db; publishMarks: PublishMarks },
  accountIds: readonly string[],
): Promise<number> {
  const marks = deps.publishMarks
  let unpublished = accountIds
  const beganMs = performance.now()
  const isWhole = beganMs >= marks.wholeAtMs
  if (isWhole || engineOf(deps.db) === 'citus') unpublished = await findUnpublishedAccounts(deps.db)
  const foundAgainAtMs = isWhole
    ? wholeAgainAtMs(beganMs, performance.now() - beganMs, unpublished.length)
    : 0
  const published = unpublished.length > 0 ? await publishCommitted(deps, unpublished) : 0
  // Only now, so that publishing is a full pass too. Otherwise events of long transactions would never be published.
  marks.wholeAtMs = Math.max(marks.wholeAtMs, foundAgainAtMs)
  return published
}

function wholeAgainAtMs(beganMs: number, tookMs: number, count: number): number {
  if (tookMs <= SLOW_MS + count * SLOW_MS_PER_EVENT) return 0
  return beganMs + Math.max(MIN_PAUSE_MS, tookMs * PAUSE_FACTOR)
}

function advance(marks: PublishMarks, highest: number, nowMs: number): void {
  if (nowMs < marks.nextAtMs) return
  marks.from = marks.next
  marks.next = highest
  marks.nextAtMs = nowMs + OPEN_MS
}
