import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import { ACCOUNTS_CHANNEL, type AccountHead, listAccountHeads } from '../../store/accounts/accounts.ts'
import { type CarrierOff, listCarriersOff } from '../../store/carriers/carrier-switches.ts'
import { listen } from '../../store/db/listen.ts'
import { isUnavailable } from '../../store/db/unavailable.ts'
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.ts'
import { singleFlight } from '../concurrency/single-flight.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import type { Sealer } from '../secrets/seal.ts'
import { loadAccount, loadCarriersThatLeft } from './load-account.ts'
import { type ApiClient, loadApiClients } from './load-api-clients.ts'

/** Every account as this process knows it, in memory; it follows changes within 2 s. */
export type AccountDirectory = {
  find(accountId: string): AccountEntry | null
  list(): readonly AccountEntry[]
  /** The snapshot that a delivery was decided under. Throws when there is no such version. */
  atVersion(accountId: string, version: number): Promise<Account>
  /** Reads what changed; after it, everything committed before the call is known. */
  refresh(): Promise<void>
  /** False while they cannot be read, as of a second ago: the database is away. */
  isFollowed(): boolean
  /** Reads all accounts, then follows them. */
  start(): Promise<void>
  stop(): Promise<void>
}

export type AccountEntry = {
  account: Account
  /** Account time: the wall clock moved by `clockOffsetMs`. */
  nowMs(): number
  clockOffsetMs: number
  /** API clients that were not revoked, by id. */
  clients: ReadonlyMap<string, ApiClient>
  /** Carriers that the document no longer has, by provider: they bring what they were given. */
  carriersLeft: ReadonlyMap<string, CarrierAccount>
  /** Carriers that are switched off, by provider. */
  carriersOff: ReadonlyMap<string, CarrierOff>
  /** A stored secret by its name, for the carrier that signs in with it; null when there is none. */
  secretOf(name: string): string | null
}

/** The carrier of this key, also one that has left the document; null: there never was one. */
export function carrierNamed(
  { account, carriersLeft }: Pick<AccountEntry, 'account' | 'carriersLeft'>,
  provider: string,
): CarrierAccount | null {
  return account.carrierByProvider.get(provider) ?? carriersLeft.get(provider) ?? null
}

const POLL_MS = 1_000
/** Old snapshots kept for deliveries still under way. */
const KEPT_VERSIONS = 16

export function makeAccountDirectory({
  db,
  log,
  sealer = null,
  wallMs = Date.now,
}: {
  db: Pool
  log: Logger
  /** Opens carriers' secrets; without one they are left alone. */
  sealer?: Sealer | null
  wallMs?: () => number
}): AccountDirectory {
  const entries = new Map<string, AccountEntry>()
  const revisions = new Map<string, number>()
  const old = new Map<string, Promise<Account>>()
  let poll: NodeJS.Timeout | undefined
  let unlisten: (() => Promise<void>) | null = null
  let failing = false

  async function read(): Promise<void> {
    const heads = await listAccountHeads(db)
    for (const head of heads) {
      if (revisions.get(head.accountId) === head.revision) continue
      await readAccount(head)
      revisions.set(head.accountId, head.revision)
    }
  }

  async function readAccount(head: AccountHead): Promise<void> {
    const clients = await loadApiClients(db, head.accountId)
    const secrets = await secretsOf(head.accountId)
    const off = await listCarriersOff(db, head.accountId)
    const account = await newestSnapshot(head)
    if (!account) return
    const before = entries.get(head.accountId)
    entries.set(head.accountId, {
      account,
      clients,
      carriersLeft:
        before?.account === account ? before.carriersLeft : await loadCarriersThatLeft(db, account),
      carriersOff: new Map(off.map((one) => [one.provider, one])),
      secretOf: (name) => secrets.get(name) ?? null,
      clockOffsetMs: head.clockOffsetMs,
      // Of work under way too: a clock that was set back meanwhile has moved what it waits for.
      nowMs: () => wallMs() + (entries.get(head.accountId) ?? head).clockOffsetMs,
    })
  }

  /** Kept in a closure, not on the entry: what is logged of an account never holds them. */
  async function secretsOf(accountId: string): Promise<ReadonlyMap<string, string>> {
    if (!sealer) return new Map()
    const { secrets, unreadable } = await openSecrets({ db, sealer }, accountId)
    if (unreadable.length > 0) {
      log.error(
        { accountId, secrets: unreadable },
        'Secrets were sealed with a key that is not set: DROVER_OLD_SECRET_KEYS takes earlier ones.',
      )
    }
    return secrets
  }

  /** The version in force, or the last good one where newer code cannot read it. */
  async function newestSnapshot({ accountId, version }: AccountHead): Promise<Account | null> {
    const known = entries.get(accountId)?.account
    if (known?.version === version) return known
    try {
      const account = await loadAccount(db, accountId, version)
      if (known) keep(accountId, known.version, Promise.resolve(known))
      return account
    } catch (error) {
      // The database may be back in a moment; only what it gave us can be beyond this code.
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
