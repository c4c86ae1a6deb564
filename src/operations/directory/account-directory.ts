import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import {
  ACCOUNTS_CHANNEL,
  type AccountHead,
  listAccountHeads,
  readAccountsDigest,
} from '../../store/accounts/accounts.ts'
import { type CarrierOff, listCarriersOff } from '../../store/carriers/carrier-switches.ts'
import { listen } from '../../store/db/listen.ts'
import { isUnavailable } from '../../store/db/unavailable.ts'
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.ts'
import { singleFlight } from '../concurrency/single-flight.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import type { Sealer } from '../secrets/seal.ts'
import { loadAccount, loadRemovedCarriers } from './load-account.ts'
import { type ApiClient, loadApiClients } from './load-api-clients.ts'

/** In-memory copy of every account. It picks up changes within 2 s. */
export type AccountDirectory = {
  find(accountId: string): AccountEntry | null
  list(): readonly AccountEntry[]
  /** The snapshot that a delivery was decided under. Throws if the version does not exist. */
  atVersion(accountId: string, version: number): Promise<Account>
  /** Reads changes; afterwards the directory has everything that was committed before the call. */
  refresh(): Promise<void>
  /** False while the accounts cannot be read (as of a second ago) because the database is unavailable. */
  isFollowed(): boolean
  /** Reads all accounts, then polls for changes. */
  start(): Promise<void>
  stop(): Promise<void>
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

type OpenedSecrets = Awaited<ReturnType<typeof openSecrets>>

const POLL_MS = 1_000
/** Old snapshots kept for deliveries that are still in progress. */
const KEPT_VERSIONS = 16

export function makeAccountDirectory({
  db,
  log,
  sealer = null,
  wallMs = Date.now,
}: {
  db: Pool
  log: Logger
  /** Decrypts the carriers' secrets; without it they stay encrypted. */
  sealer?: Sealer | null
  wallMs?: () => number
}): AccountDirectory {
  const entries = new Map<string, AccountEntry>()
  const revisions = new Map<string, number>()
  const old = new Map<string, Promise<Account>>()
  let poll: NodeJS.Timeout | undefined
  let unlisten: (() => Promise<void>) | null = null
  let failing = false
  let digestRead = ''

  async function read(): Promise<void> {
    const digest = await readAccountsDigest(db)
    if (digest === digestRead) return
    const heads = await listAccountHeads(db)
    for (const head of heads) {
      if (revisions.get(head.accountId) === head.revision) continue
      await readAccount(head)
      revisions.set(head.accountId, head.revision)
    }
    // The one from before the heads: what changed in between is read again.
    digestRead = digest
  }

  async function readAccount(head: AccountHead): Promise<void> {
    const clients = await loadApiClients(db, head.accountId)
    const { secrets, unreadable } = await secretsOf(head.accountId)
    const off = await listCarriersOff(db, head.accountId)
    const account = await newestSnapshot(head)
    if (!account) return
    const before = entries.get(head.accountId)
    entries.set(head.accountId, {
      account,
      clients,
      removedCarriers:
        before?.account === account ? before.removedCarriers : await loadRemovedCarriers(db, account),
      carriersOff: new Map(off.map((one) => [one.provider, one])),
      secretOf: (name) => secrets.get(name) ?? null,
      unreadableSecrets: new Set(unreadable),
      clockOffsetMs: head.clockOffsetMs,
      // Also affects work in progress: setting the clock back meanwhile also moved that work's due times.
      nowMs: () => wallMs() + (entries.get(head.accountId) ?? head).clockOffsetMs,
    })
  }

  /** Kept in a closure, not on the entry, so that logging an account never logs its secrets. */
  async function secretsOf(accountId: string): Promise<OpenedSecrets> {
    if (!sealer) return { secrets: new Map(), unreadable: [] }
    const opened = await openSecrets({ db, sealer }, accountId)
    const { unreadable } = opened
    if (unreadable.length > 0) {
      log.error(
        { accountId, secrets: unreadable },
        'Secrets were sealed with a key that is not set: DROVER_OLD_SECRET_KEYS takes earlier ones.',
      )
    }
    return opened
  }

  /** The version in force, or the last good version if this code cannot read it. */
  async function newestSnapshot({ accountId, version }: AccountHead): Promise<Account | null> {
    const known = entries.get(accountId)?.account
    if (known?.version === version) return known
    try {
      const account = await loadAccount(db, accountId, version)
      if (known) keep(accountId, known.version, Promise.resolve(known))
      return account
    } catch (error) {
      // The database may be back in a moment. Only a document that was read can be too new for this code.
      if (isUnavailable(error)) throw error
      log.error(
        { err: error, accountId, version, keeping: known?.version ?? null },
        'An account document cannot be read by this version of the code; the last good one stays in force.',
      )
      return known ?? null
    }
  }

  function keep(accountId: string, version: number, account: Promise<Account>): void {
    const key = `${accountId}@${version}`
    old.delete(key)
    old.set(key, account)
    account.catch(() => old.delete(key))
    for (const oldest of old.keys()) {
      if (old.size <= KEPT_VERSIONS) break
      old.delete(oldest)
    }
  }

  const refresh = singleFlight(read)

  async function follow(): Promise<void> {
    try {
      await refresh()
      if (failing) log.info('Accounts are followed again.')
      failing = false
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'Accounts cannot be read for now; those known stay in force.')
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
    find: (accountId) => entries.get(accountId) ?? null,
    list: () => [...entries.values()],
    isFollowed: () => !failing,
    atVersion(accountId, version) {
      const known = entries.get(accountId)?.account
      if (known?.version === version) return Promise.resolve(known)
      const kept = old.get(`${accountId}@${version}`) ?? loadAccount(db, accountId, version)
      keep(accountId, version, kept)
      return kept
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
