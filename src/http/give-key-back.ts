import { type IdempotentRequest, LOCK_SECONDS, releaseKey } from '../store/idempotency.ts'
import type { HttpDeps } from './deps.ts'

const PAUSE_MS = 1_000

/**
 * Gives back the key of a request that came to nothing. While the database is away it is tried once a second, for as
 * long as the lock lives: whoever was answered 503 sends the request again, and would wait for the lock of nobody.
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
