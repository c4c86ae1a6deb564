import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../../store/db/unavailable.ts'

// Retry intervals are capped at 1 s, so a starting process is up within a second of the database.
const START_PAUSES_MS = [200, 500, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000]

/**
 * Backoff without jitter: a process that starts retries while the database is unavailable for a moment, for example
 * during a failover. `onRetry` receives the error before each retry.
 */
export async function retryWhileUnavailable(
  work: () => Promise<void>,
  onRetry: (error: Error) => void = () => {},
): Promise<void> {
  for (const pauseMs of START_PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      onRetry(error as Error)
      await sleep(pauseMs)
    }
  }
  await work()
}
