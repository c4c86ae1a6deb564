import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type ClientUse, noteClientUses } from '../../store/accounts/api-clients.ts'
import { singleFlight } from '../concurrency/single-flight.ts'

/** Records when each API client was last used, so that people can see which clients are still needed. */
export type ClientUses = {
  /** Records that a token was issued to this client or used by it. Returns at once and never throws. */
  note(accountId: string, clientId: string): void
  /** Test signal: writes the uses that wait, and resolves once they are written or could not be. */
  flush(): Promise<void>
  stop(): void
}

/** Often enough for "6 min ago", and negligible beside a busy client's requests per minute. */
const EVERY_MS = 60_000
/** Batching: clients that are used within this time share a statement. */
const GATHER_MS = 200

export function clientUses({
  db,
  log,
  nowMs = () => performance.now(),
}: {
  db: Pool
  log: Logger
  /** Any monotonic clock. */
  nowMs?: () => number
}): ClientUses {
  const noted = new Map<string, number>()
  let waiting: ClientUse[] = []
  let gathering: NodeJS.Timeout | undefined
  let stopped = false

  // Single-flight: however long the database is unresponsive, at most one connection waits for it.
  const write = singleFlight(async () => {
    const uses = waiting
    waiting = []
    if (uses.length === 0) return
    try {
      await noteClientUses(db, uses)
    } catch (error) {
      // Not retried: a busy client is recorded again a minute later.
      log.warn({ err: error, clients: uses.length }, 'Could not record when API clients were last used.')
    }
  })

  const flush = (): Promise<void> => {
    clearTimeout(gathering)
    gathering = undefined
    return write()
  }

  return {
    note(accountId, clientId) {
      const key = `${accountId} ${clientId}`
      const atMs = nowMs()
      if (stopped || atMs - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return
      noted.set(key, atMs)
      waiting.push({ accountId, clientId })
      gathering ??= setTimeout(() => void flush(), GATHER_MS).unref()
    },
    flush,
    stop() {
      stopped = true
      clearTimeout(gathering)
    },
  }
}
