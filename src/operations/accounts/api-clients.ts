import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { unknownStores } from '../../domain/quoting/resolve/unknown-stores.ts'
import { didYouMean } from '../../domain/text/nearest.ts'
import { announceAccount } from '../../store/accounts/accounts.ts'
import {
  addClientScopes,
  insertApiClient,
  listClientUses,
  revokeApiClientRow,
} from '../../store/accounts/api-clients.ts'
import { withTransaction } from '../../store/db/pool.ts'
import type { AccountDirectory, AccountEntry } from '../context/account-directory.ts'
import { noAudit, type WriteAudit } from '../context/audit.ts'
import { SCOPES } from '../context/caller.ts'
import type { Deps } from '../context/deps.ts'
import type { ApiClient } from '../context/load-api-clients.ts'
import { isDemoSecret } from '../secrets/demo-clients.ts'

type ClientDeps = { db: Pool; accounts: Pick<AccountDirectory, 'find' | 'refresh'> }

const keepNothing = async (): Promise<void> => {}

export type NewApiClient = { clientId: string; clientSecret: string }

/**
 * Creates a client and returns its secret, which is shown only once; only its hash is stored. `keep` is called in the
 * same transaction.
 */
export async function createApiClient(
  deps: ClientDeps,
  accountId: string,
  asked: { name: string; scopes: readonly string[]; storeReferences: readonly string[] | null },
  record: WriteAudit = noAudit,
  keep: (db: PoolClient, made: NewApiClient) => Promise<void> = keepNothing,
): Promise<NewApiClient> {
  const issues = [...issuesOf(asked, requireEntry(deps, accountId))]
  if (issues.length > 0)
    throw new Refusal('invalid_request', 'The client cannot be made like this.', { issues })
  const clientId = `client_${randomBytes(10).toString('hex')}`
  const made = { clientId, clientSecret: newSecret() }
  await storeApiClient(deps, accountId, { ...asked, ...made }, record, (db) => keep(db, made))
  return made
}

/**
 * 256 bits. The prefix and the checksum (CRC-32 of everything before it, in hex) let a leak scanner recognise it
 * without calling us.
 */
function newSecret(): string {
  const secret = `drs_${randomBytes(32).toString('base64url')}`
  return `${secret}${crc32(secret).toString(16).padStart(8, '0')}`
}

/** Grants a client the scopes that it lacks; a client that has them, or does not exist, stays as it is. */
export async function grantScopes(
  deps: ClientDeps,
  accountId: string,
  clientId: string,
  scopes: readonly string[],
): Promise<void> {
  await withTransaction(deps.db, async (db) => {
    if (await addClientScopes(db, accountId, clientId, scopes)) await announceAccount(db, accountId)
  })
}

/** Stores a client whose secret is already known; an id that was used before changes nothing. */
export async function storeApiClient(
  deps: ClientDeps,
  accountId: string,
  client: {
    clientId: string
    clientSecret: string
    name: string
    scopes: readonly string[]
    storeReferences: readonly string[] | null
  },
  record: WriteAudit = noAudit,
  keep: (db: PoolClient) => Promise<void> = keepNothing,
): Promise<void> {
  await withTransaction(deps.db, async (db) => {
    const isNew = await insertApiClient(db, accountId, {
      clientId: client.clientId,
      name: client.name,
      secretHash: hashOf(client.clientSecret),
      scopes: [...new Set(client.scopes)],
      storeReferences: client.storeReferences && [...new Set(client.storeReferences)],
    })
    if (!isNew) return
    await announceAccount(db, accountId)
    await record(db, {
      accountId,
      object: client.clientId,
      after: { scopes: client.scopes, store_references: client.storeReferences },
    })
    await keep(db)
  })
  await deps.accounts.refresh()
}

/**
 * Revokes a client: it gets no more tokens, and its existing tokens are rejected, at once here and within 2 s in other
 * processes.
 */
export async function revokeApiClient(
  deps: ClientDeps,
  accountId: string,
  clientId: string,
  record: WriteAudit = noAudit,
): Promise<void> {
  requireEntry(deps, accountId)
  const revoked = await withTransaction(deps.db, async (db) => {
    const found = await revokeApiClientRow(db, accountId, clientId)
    if (!found) return false
    await announceAccount(db, accountId)
    await record(db, { accountId, object: clientId })
    return true
  })
  if (!revoked) throw new Refusal('not_found', `There is no client ${clientId}.`)
  await deps.accounts.refresh()
}

/** `lastUsedAtMs`: to the minute, by the database's clock; null: it never requested a token. */
export type ListedClient = ApiClient & { lastUsedAtMs: number | null }

/** Active clients, oldest first. */
export async function listApiClients(deps: ClientDeps, accountId: string): Promise<ListedClient[]> {
  const clients = [...requireEntry(deps, accountId).clients.values()]
  const uses = await listClientUses(deps.db, accountId)
  return clients.map((client) => ({ ...client, lastUsedAtMs: uses.get(client.clientId) ?? null }))
}

/** The client with this secret, or null; the duration reveals neither. */
export function checkClientSecret(
  { live }: Pick<Deps, 'live'>,
  entry: AccountEntry,
  clientId: string,
  secret: string,
): ApiClient | null {
  const client = entry.clients.get(clientId)
  const matches = timingSafeEqual(hashOf(secret), client?.secretHash ?? NO_HASH)
  if (!client || !matches) return null
  return (live || entry.account.mode === 'live') && isDemoSecret(secret) ? null : client
}

const NO_HASH = Buffer.alloc(32)

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function requireEntry(deps: Pick<ClientDeps, 'accounts'>, accountId: string): AccountEntry {
  const entry = deps.accounts.find(accountId)
  if (!entry) throw new Refusal('not_found', `There is no account ${accountId}.`)
  return entry
}

function* issuesOf(
  {
    name,
    scopes,
    storeReferences,
  }: { name: string; scopes: readonly string[]; storeReferences: readonly string[] | null },
  { account }: AccountEntry,
): Generator<Issue> {
  if (name.trim() === '')
    yield { field: 'name', issue: 'required', message: 'Name the client, so that people know whose it is.' }
  if (scopes.length === 0)
    yield { field: 'scopes', issue: 'required', message: `Give it one at least of ${SCOPES.join(', ')}.` }
  for (const [index, scope] of scopes.entries()) {
    if ((SCOPES as readonly string[]).includes(scope)) continue
    const guess = didYouMean(scope, SCOPES) || ` Known: ${SCOPES.join(', ')}.`
    yield { field: `scopes[${index}]`, issue: 'invalid_value', message: `"${scope}" is not a scope.${guess}` }
  }
  yield* unknownStores(account, { by: 'store_references', names: storeReferences ?? [] }, () => true)
}
