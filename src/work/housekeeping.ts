import type { Logger } from 'pino'

/** A clean-up task for expired data: `share` handles one small batch and returns how many rows that was. */
export type HousekeepingTask = { name: string; share(): Promise<number> }

const EVERY_MS = 10 * 60_000
/**
 * Jitter: the first run is spread over one minute, so that processes started together don't clean up
 * together.
 */
const FIRST_MS = 60_000

/**
 * Scheduled clean-up: runs every task at intervals until the returned function is called; a task repeats
 * while it finds rows.
 */
export function startHousekeeping(tasks: readonly HousekeepingTask[], log: Logger): () => void {
  let timer: NodeJS.Timeout | undefined
  const sweep = async (): Promise<void> => {
    for (const { name, share } of tasks) {
      try {
        while ((await share()) > 0 && timer) {}
      } catch (error) {
        log.warn({ err: error, task: name }, 'a housekeeping task failed')
      }
    }
    if (timer) timer = setTimeout(() => void sweep(), EVERY_MS).unref()
  }
  timer = setTimeout(() => void sweep(), Math.random() * FIRST_MS).unref()
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}
