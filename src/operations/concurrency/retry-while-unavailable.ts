import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../../store/db/unavailable.ts'

// So rarely at most that who starts while the database does so too is there within a second of it.
const START_PAUSES_MS = [200, 500, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000]

/**
 * A database that is away for a moment, in a switch-over say, does not end a process that starts. `onRetry` hears why
 * it is tried again.
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
