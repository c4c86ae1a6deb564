import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../../store/db/unavailable.ts'

// Retry intervals are capped at 1 s, so a starting process is up within a second of the database.
const PAUSES_MS = [200, 500, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000]

/**
 * Backoff without jitter: retries for about eight seconds while the database is unavailable, for example during a
 * failover. For a process that starts, and for work that would lose a carrier's answer. `onRetry` receives the error
 * before each retry.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  onRetry: (error: Error) => void = () => {},
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      onRetry(error as Error)
      await sleep(pauseMs)
    }
  }
  return work()
}
