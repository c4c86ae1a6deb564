import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../store/deliveries.ts'
import { publishEvents } from '../store/publish-events.ts'

/** A backlog of 100,000 events; what is left after it is published by whoever comes next. */
const MAX_PASSES = 100
/** Another publisher holds the account for one statement. */
const HELD_PAUSE_MS = 5

/** Publishes every event that these accounts had committed before. Whoever reads events does it first. */
export async function publishCommitted(db: Db, accountIds: readonly string[]): Promise<void> {
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const { count, isDone } = await publishEvents(db, accountIds)
    if (isDone) return
    if (count === 0) await sleep(HELD_PAUSE_MS)
  }
}
