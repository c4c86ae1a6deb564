import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { AccountHead } from '../../store/accounts/accounts.ts'
import { listCarriersOff } from '../../store/carriers/carrier-switches.ts'
import { isUnavailable } from '../../store/db/unavailable.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { AccountEntry } from './account-directory.ts'
import { carriersNotSetUp } from './carriers-not-set-up.ts'
import { type LoadedAccount, loadAccount, loadRemovedCarriers } from './load-account.ts'
import { loadApiClients } from './load-api-clients.ts'

/** An account in memory. `entry` is null if this code cannot read the document. */
export type LoadedEntry = {
  entry: AccountEntry | null
  /** Of the account's head when it was loaded. */
  revision: number
  /** At least 1. */
  documentBytes: number
}

type LoadDeps = {
  db: Pool
  log: Logger
  /** Null: the secrets stay encrypted. */
  sealer: Sealer | null
  hasSmtp: boolean
  nowMs(): number
}

/** During a rolling upgrade a newer process may apply documents that this code cannot read, once or twice. */
const MAX_VERSIONS_BACK = 5

export async function loadEntry(
  deps: LoadDeps,
  head: AccountHead,
  before: LoadedEntry | null,
): Promise<LoadedEntry> {
  const { db, nowMs } = deps
  const { accountId, revision, clockOffsetMs } = head
  const clients = await loadApiClients(db, accountId)
  const { secrets, unreadable } = await secretsOf(deps, accountId)
  const off = await listCarriersOff(db, accountId)
  const newest = await newestReadable(deps, head, before)
  if (!newest) return { entry: null, revision, documentBytes: 1 }
  const { account, documentBytes } = newest
  const removedCarriers =
    before?.entry?.account === account ? before.entry.removedCarriers : await loadRemovedCarriers(db, account)
  // Kept in a closure, not on the entry, so that logging an account never logs its secrets.
  const secretOf = (name: string): string | null => secrets.get(name) ?? null
  const unreadableSecrets = new Set(unreadable)
  const entry: AccountEntry = {
    account,
    clients,
    removedCarriers,
    carriersOff: new Map(off.map((one) => [one.provider, one])),
    carriersNotSetUp: carriersNotSetUp(account, {
      removedCarriers,
      secretOf,
      unreadableSecrets,
      hasSmtp: deps.hasSmtp,
    }),
    secretOf,
    unreadableSecrets,
    clockOffsetMs,
    // Work in progress sees a changed clock too: setting the clock back also moves that work's due times back.
    nowMs,
  }
  return { entry, revision, documentBytes }
}

async function secretsOf(
  { db, log, sealer }: LoadDeps,
  accountId: string,
): Promise<Awaited<ReturnType<typeof openSecrets>>> {
  if (!sealer) return { secrets: new Map(), unreadable: [] }
  const opened = await openSecrets({ db, sealer }, accountId)
  const { unreadable } = opened
  if (unreadable.length > 0) {
    log.error(
      { accountId, secrets: unreadable },
      'Secrets were encrypted with a key that is not set. Add that key to DROVER_OLD_SECRET_KEYS.',
    )
  }
  return opened
}

/** The version in use, or the last good version if this code cannot read it; null if there is none. */
async function newestReadable(
  { db, log }: LoadDeps,
  { accountId, version }: AccountHead,
  before: LoadedEntry | null,
): Promise<LoadedAccount | null> {
  const known = before?.entry?.account
  const { documentBytes = 1 } = before ?? {}
  const oldest = Math.max(1, version - MAX_VERSIONS_BACK)
  for (let one = version; one >= oldest; one--) {
    if (known?.version === one) return { account: known, documentBytes }
    try {
      return await loadAccount(db, accountId, one)
    } catch (error) {
      // The database may be back in a moment. Only a document that was read can be too new for this code.
      if (isUnavailable(error)) throw error
      log.error(
        { err: error, accountId, version: one },
        'This version of Drover cannot read the account document; the last one that it can read stays in use.',
      )
    }
  }
  return known ? { account: known, documentBytes } : null
}
