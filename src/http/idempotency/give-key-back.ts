import { type IdempotentRequest, LOCK_SECONDS, releaseKey } from '../../store/deliveries/idempotency.ts'
import type { HttpDeps } from '../contract/deps.ts'

const PAUSE_MS = 1_000

/**
 * Idempotency key: releases the key of a request that failed. While the database is unavailable, it retries once a
 * second until the lock expires: a client that got 503 sends the request again, and should not wait for an abandoned
 * lock.
 */
export async function giveKeyBack(deps: HttpDeps, keyed: IdempotentRequest, lock: string): Promise<void> {
  try {
    await releaseKey(deps.db, keyed, lock)
  } catch {
    tryAgain(deps, keyed, lock, performance.now() + LOCK_SECONDS * 1_000)
  }
}

function tryAgain(deps: HttpDeps, keyed: IdempotentRequest, lock: string, endMs: number): void {
  const attempt = () => {
    releaseKey(deps.db, keyed, lock).catch(() => {
      if (performance.now() < endMs) tryAgain(deps, keyed, lock, endMs)
    })
  }
  setTimeout(attempt, PAUSE_MS).unref()
}
