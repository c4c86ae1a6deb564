import type { Pool } from 'pg'
import { createDeliveries, type NewDelivery } from './create-deliveries.ts'

/** Waiting creates share a statement once this many are under way; more in flight means smaller shares. */
const IN_FLIGHT = 2
const MOST_TOGETHER = 64

type Waiting = { delivery: NewDelivery; resolve: (made: boolean) => void; reject: (error: unknown) => void }

/**
 * `createDeliveries` for one caller at a time: those who come while statements are under way wait and share
 * the next. False: the reference is taken. A taken key rejects with 23505, for its own caller only.
 */
export function sharedCreate(db: Pool): (delivery: NewDelivery) => Promise<boolean> {
  const waiting: Waiting[] = []
  let inFlight = 0

  const flush = (): void => {
    while (waiting.length > 0 && inFlight < IN_FLIGHT) {
      inFlight += 1
      void create(db, waiting.splice(0, MOST_TOGETHER)).finally(() => {
        inFlight -= 1
        flush()
      })
    }
  }
  return (delivery) =>
    new Promise((resolve, reject) => {
      waiting.push({ delivery, resolve, reject })
      flush()
    })
}

async function create(db: Pool, together: readonly Waiting[]): Promise<void> {
  try {
    const made = await createDeliveries(
      db,
      together.map(({ delivery }) => delivery),
    )
    for (const { delivery, resolve } of together) resolve(made.has(delivery.delivery_id))
  } catch (error) {
    if (together.length === 1 || !(isUniqueViolation(error) || isDeadlock(error))) {
      for (const { reject } of together) reject(error)
      return
    }
    // One caller's key is taken, or others hold what we wait for: nothing was done, so each is asked alone.
    for (const one of together) await create(db, [one])
  }
}

/** PostgreSQL's 23505. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23505'
}

/** PostgreSQL's 40P01. */
function isDeadlock(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '40P01'
}
