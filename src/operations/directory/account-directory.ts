import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import { ACCOUNTS_CHANNEL, type AccountHead } from '../../store/accounts/accounts.ts'
import type { CarrierOff } from '../../store/carriers/carrier-switches.ts'
import { listen } from '../../store/db/listen.ts'
import { isUnavailable } from '../../store/db/unavailable.ts'
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.ts'
import { singleFlight } from '../concurrency/single-flight.ts'
import type { Sealer } from '../secrets/seal.ts'
import { accountHeads } from './account-heads.ts'
import type { CarrierNotSetUp } from './carriers-not-set-up.ts'
import { loadAccount } from './load-account.ts'
import type { ApiClient } from './load-api-clients.ts'
import { type LoadedEntry, loadEntry } from './load-entry.ts'

/**
 * The accounts of the installation: the heads of all, and an LRU cache of compiled accounts that are in use.
 * Changes are picked up within 2 s.
 */
export type AccountDirectory = {
  /**
   * The account as it is in use; null if there is none. Returns it at once if it is in memory, so that a request
   * needs no promise. Otherwise loads it, which fails while the database is unavailable.
   */
  find(accountId: string): AccountEntry | null | Promise<AccountEntry | null>
  /** What is known of an account without its document; null if there is no such account. */
  head(accountId: string): AccountHead | null
  /** All accounts, in memory or not, in the order of their ids. The same array until something changes. */
  list(): readonly AccountHead[]
  /** Account time: the wall clock plus the account's offset. Wall time for an unknown account. */
  nowMs(accountId: string): number
  /** The snapshot that a delivery was decided under. Throws if the version does not exist. */
  atVersion(accountId: string, version: number): Promise<Account>
  /** Reads changes; afterwards the directory has everything that was committed before the call. */
  refresh(): Promise<void>
  /** False while the accounts cannot be read (as of a second ago) because the database is unavailable. */
  isFollowed(): boolean
  /** Reads the heads of all accounts, then polls for changes. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** During an upgrade, a newer process may have applied a document with fields that this one does not know. */
export class UnreadableVersion extends Error {
  constructor(accountId: string, version: number, cause: unknown) {
    super(`This version of Drover cannot read version ${version} of the account ${accountId}.`, { cause })
  }
}

export type AccountEntry = {
  account: Account
  /** Account time: the wall clock plus `clockOffsetMs`. */
  nowMs(): number
  clockOffsetMs: number
  /** API clients that are not revoked, by id. */
  clients: ReadonlyMap<string, ApiClient>
  /** Carriers that are no longer in the account document, by provider. They still deliver what they accepted. */
  removedCarriers: ReadonlyMap<string, CarrierAccount>
  /** Disabled carriers, by provider. */
  carriersOff: ReadonlyMap<string, CarrierOff>
  /** Carriers that this installation cannot book for the account, by provider. Empty for a sandbox account. */
  carriersNotSetUp: ReadonlyMap<string, CarrierNotSetUp>
  /** A stored secret by name, for the carrier that signs in with it; null if there is no such secret. */
  secretOf(name: string): string | null
  /** Names of stored secrets that no key of ours decrypts. */
  unreadableSecrets: ReadonlySet<string>
}

/**
 * The carrier with this provider key, including one that has left the account document; null if there never was one.
 */
export function carrierNamed(
  { account, removedCarriers }: Pick<AccountEntry, 'account' | 'removedCarriers'>,
  provider: string,
): CarrierAccount | null {
  return account.carrierByProvider.get(provider) ?? removedCarriers.get(provider) ?? null
}

const POLL_MS = 1_000
/**
 * Documents of the accounts in memory, as text: some 2,000 accounts like the demo's, or four of the largest that
 * Drover accepts. Compiled, they take about four times as much memory.
 */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
/** Old snapshots kept for deliveries that are still in progress. */
const KEPT_VERSIONS = 16

export function makeAccountDirectory({
  db,
  log,
  sealer = null,
  hasSmtp = false,
  wallMs = Date.now,
  maxDocumentBytes = MAX_DOCUMENT_BYTES,
}: {
  db: Pool
  log: Logger
  /** Decrypts the carriers' secrets; without it they stay encrypted. */
  sealer?: Sealer | null
  /** This process can send emails to couriers. */
  hasSmtp?: boolean
  wallMs?: () => number
  maxDocumentBytes?: number
}): AccountDirectory {
  const heads = accountHeads(db)
  const loaded = new LRUCache<string, LoadedEntry>({
    maxSize: maxDocumentBytes,
    sizeCalculation: ({ documentBytes }) => documentBytes,
  })
  const loading = new Map<string, Promise<LoadedEntry>>()
  const old = new LRUCache<string, Promise<Account>>({ max: KEPT_VERSIONS })
  let poll: NodeJS.Timeout | undefined
  let unlisten: (() => Promise<void>) | null = null
  let failing = false

  const nowMs = (accountId: string): number => wallMs() + (heads.get(accountId)?.clockOffsetMs ?? 0)

  function load(head: AccountHead): Promise<LoadedEntry> {
    const { accountId } = head
    const before = loaded.peek(accountId) ?? null
    const promise = loadEntry({ db, log, sealer, hasSmtp, nowMs: () => nowMs(accountId) }, head, before)
      .then((one) => {
        const left = before?.entry?.account
        if (left && left !== one.entry?.account) keep(left)
        loaded.set(accountId, one)
        return one
      })
      .finally(() => loading.delete(accountId))
    loading.set(accountId, promise)
    return promise
  }

  /** Reads again the accounts in memory that have changed; the others are read when they are needed. */
  async function read(): Promise<void> {
    await heads.refresh()
    for (const accountId of new Set([...loaded.keys(), ...loading.keys()])) {
      // The caller that started the load handles its failure; here the account is read again.
      await loading.get(accountId)?.catch(() => {})
      const head = heads.get(accountId)
      if (!head) loaded.delete(accountId)
      else if (loaded.has(accountId) && loaded.peek(accountId)?.revision !== head.revision) await load(head)
    }
  }

  function keep(account: Account): void {
    old.set(`${account.id}@${account.version}`, Promise.resolve(account))
  }

  const refresh = singleFlight(read)

  async function follow(): Promise<void> {
    try {
      await refresh()
      if (failing) log.info('Accounts can be read again.')
      failing = false
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'Accounts cannot be read for now; those in memory stay in use.')
      failing = true
    }
  }

  function schedule(): void {
    poll = setTimeout(async () => {
      await follow()
      if (poll) schedule()
    }, POLL_MS).unref()
  }

  return {
    find(accountId) {
      const known = loaded.get(accountId)
      if (known) return known.entry
      const head = heads.get(accountId)
      return head && (loading.get(accountId) ?? load(head)).then(({ entry }) => entry)
    },
    head: heads.get,
    list: heads.list,
    nowMs,
    isFollowed: () => !failing,
    atVersion(accountId, version) {
      const known = loaded.peek(accountId)?.entry?.account
      if (known?.version === version) return Promise.resolve(known)
      const key = `${accountId}@${version}`
      const kept = old.get(key)
      if (kept) return kept
      const account = loadAccount(db, accountId, version).then(
        (one) => one.account,
        (error: unknown) => {
          throw isUnavailable(error) ? error : new UnreadableVersion(accountId, version, error)
        },
      )
      account.catch(() => old.delete(key))
      old.set(key, account)
      return account
    },
    refresh,
    async start() {
      await retryWhileUnavailable(refresh)
      unlisten = listen(db, ACCOUNTS_CHANNEL, () => void follow())
      schedule()
    },
    async stop() {
      clearTimeout(poll)
      poll = undefined
      await unlisten?.()
    },
  }
}
