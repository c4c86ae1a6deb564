import type { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { isUnavailable } from '../store/db/unavailable.ts'

/** The reader of the output has gone (`npm start | head`), so no message can arrive. */
const OUTPUT_CLOSED = 'EPIPE'

export type UnhandledFailures = {
  /** Rejects with the first failure that is a bug; after it the state of this process is unknown. */
  fatal: Promise<never>
  stop(): void
}

/**
 * Unhandled failures: a rejected promise or an error event without a handler. A short database outage must
 * not end a service that has reported ready, so such a failure is logged and the process continues. Any other
 * failure is a bug and requests an orderly stop.
 */
export function watchUnhandledFailures(
  log: Logger,
  source: Pick<EventEmitter, 'on' | 'off'> = process,
): UnhandledFailures {
  const { promise: fatal, reject } = Promise.withResolvers<never>()
  // It may reject before any caller awaits it.
  fatal.catch(() => {})
  const judge = (error: unknown): void => {
    if (isTransient(error)) {
      log.error(
        { err: error },
        'unhandled failure: the database is unavailable for now, so the process continues',
      )
      return
    }
    log.fatal({ err: error }, 'unhandled failure: the process stops')
    reject(error)
  }
  source.on('unhandledRejection', judge)
  source.on('uncaughtException', judge)
  return {
    fatal,
    stop() {
      source.off('unhandledRejection', judge)
      source.off('uncaughtException', judge)
    },
  }
}

function isTransient(error: unknown): boolean {
  return isUnavailable(error) && (error as { code?: unknown }).code !== OUTPUT_CLOSED
}
