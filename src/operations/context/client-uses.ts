import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type ClientUse, noteClientUses } from '../../store/accounts/api-clients.ts'
import { singleFlight } from '../concurrency/single-flight.ts'

/** Hears of clients that are at work, and keeps when: for people who ask which of them is still needed. */
export type ClientUses = {
  /** A token was given to this client, or used by it. Waits for nothing, and never throws. */
  note(accountId: string, clientId: string): void
  stop(): void
}

/** Often enough for "6 min ago", and nothing beside what a busy client does in a minute. */
const EVERY_MS = 60_000
/** Clients that come together share a statement. */
const GATHER_MS = 200

export function clientUses({
  db,
  log,
  nowMs = () => performance.now(),
}: {
  db: Pool
  log: Logger
  /** Any clock that does not go back. */
  nowMs?: () => number
}): ClientUses {
  const noted = new Map<string, number>()
  let waiting: ClientUse[] = []
  let gathering: NodeJS.Timeout | undefined
  let stopped = false

  // One after the other: however long the database is silent, one connection at most waits for it.
  const write = singleFlight(async () => {
    const uses = waiting
    waiting = []
    if (uses.length === 0) return
    try {
      await noteClientUses(db, uses)
    } catch (error) {
      // Not tried again: a client that is at work is noted a minute later.
      log.warn({ err: error, clients: uses.length }, 'when clients were last used could not be kept')
    }
  })

  return {
    note(accountId, clientId) {
      const key = `${accountId} ${clientId}`
      const atMs = nowMs()
      if (stopped || atMs - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return
      noted.set(key, atMs)
      waiting.push({ accountId, clientId })
      gathering ??= setTimeout(() => {
        gathering = undefined
        void write()
      }, GATHER_MS).unref()
    },
    stop() {
      stopped = true
      clearTimeout(gathering)
    },
  }
}
