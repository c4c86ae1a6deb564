import type { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { isUnavailable } from '../store/db/unavailable.ts'

/** The reader of the output has gone (`npm start | head`), so no message can arrive. */
const OUTPUT_CLOSED = 'EPIPE'

export type UnhandledFailures = {
  /** Rejects with the first one that is a bug, after which nothing about this process is certain. */
  fatal: Promise<never>
  stop(): void
}

/**
 * What failed and nobody waited for. A database that is away for a moment must not end a service that has reported
 * ready, so such a failure is logged and the process goes on. Any other is a bug: it asks for an orderly stop.
 */
export function watchUnhandledFailures(
  log: Logger,
  source: Pick<EventEmitter, 'on' | 'off'> = process,
): UnhandledFailures {
  const { promise: fatal, reject } = Promise.withResolvers<never>()
  // It may come before anybody waits for it.
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
