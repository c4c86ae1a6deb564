import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { mayOwnClients } from '../../domain/people/user.ts'
import { unknownStores } from '../../domain/quoting/resolve/unknown-stores.ts'
import { didYouMean } from '../../domain/text/nearest.ts'
import { announceAccount } from '../../store/accounts/accounts.ts'
import {
  addClientScopes,
  type ClientOwner,
  changeClientOwner,
  insertApiClient,
  listClientStatuses,
  revokeApiClientRow,
} from '../../store/accounts/api-clients.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { findUser, lockUser } from '../../store/people/users.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountDirectory, AccountEntry } from '../directory/account-directory.ts'
import { SCOPES } from '../directory/caller.ts'
import type { ApiClient } from '../directory/load-api-clients.ts'
import { isDemoSecret } from '../secrets/demo-clients.ts'

type ClientDeps = { db: Pool; accounts: Pick<AccountDirectory, 'find' | 'refresh'> }

const keepNothing = async (): Promise<void> => {}

/** What is asked for; `owner` null: an operator's token, or a command on the machine. */
type AskedClient = {
  name: string
  scopes: readonly string[]
  storeReferences: readonly string[] | null
  owner: ClientOwner | null
}

export type NewApiClient = { clientId: string; clientSecret: string }

/**
 * Creates a client and returns its secret, which is shown only once; only its hash is stored. `keep` is called in the
 * same transaction.
 */
export async function createApiClient(
  deps: ClientDeps,
  accountId: string,
  asked: AskedClient,
  record: WriteAudit = noAudit,
  keep: (db: PoolClient, made: NewApiClient) => Promise<void> = keepNothing,
): Promise<NewApiClient> {
  const issues = [...listIssues(asked, await requireEntry(deps, accountId))]
  if (issues.length > 0) throw new Refusal('invalid_request', 'This client cannot be created.', { issues })
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
  } & AskedClient,
  record: WriteAudit = noAudit,
  keep: (db: PoolClient) => Promise<void> = keepNothing,
): Promise<void> {
  await withTransaction(deps.db, async (db) => {
    await requireOwner(db, client.owner)
    const isNew = await insertApiClient(db, accountId, {
      clientId: client.clientId,
      name: client.name,
      secretHash: toHash(client.clientSecret),
      scopes: [...new Set(client.scopes)],
      storeReferences: client.storeReferences && [...new Set(client.storeReferences)],
      owner: client.owner,
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
  await requireEntry(deps, accountId)
  const revoked = await withTransaction(deps.db, async (db) => {
    const found = await revokeApiClientRow(db, accountId, clientId)
    if (!found) return false
    await announceAccount(db, accountId)
    await record(db, { accountId, object: clientId })
    return true
  })
  if (!revoked) throw noClient(clientId)
  await deps.accounts.refresh()
}

/**
 * Makes a person, or the installation, the owner of a client: from then on it ends with them. It keeps its secret,
 * which the earlier owner may know. Refuses `not_found`.
 */
export async function takeOverApiClient(
  deps: ClientDeps,
  accountId: string,
  clientId: string,
  owner: ClientOwner | null,
  record: WriteAudit,
): Promise<void> {
  const before = (await requireEntry(deps, accountId)).clients.get(clientId)
  await withTransaction(deps.db, async (db) => {
    await requireOwner(db, owner)
    if (!(await changeClientOwner(db, accountId, clientId, owner))) throw noClient(clientId)
    await announceAccount(db, accountId)
    await record(db, {
      accountId,
      object: clientId,
      before: { owner: before?.owner?.userId ?? null },
      after: { owner: owner?.userId ?? null },
    })
  })
  await deps.accounts.refresh()
}

/**
 * Locks the owner, so that no client outlives them that is made while they are disabled. Refuses `insufficient_scope`
 * for a person who may no longer make clients.
 */
async function requireOwner(db: PoolClient, owner: ClientOwner | null): Promise<void> {
  if (owner === null) return
  await lockUser(db, owner.accountId, owner.userId)
  const user = await findUser(db, owner.accountId, owner.userId)
  if (user && mayOwnClients(user)) return
  throw new Refusal('insufficient_scope', 'Only an active admin or operator can own an API client.')
}

/** `lastUsedAtMs`: to the minute, by the database's clock; null: it never requested a token. */
export type ListedClient = ApiClient & { lastUsedAtMs: number | null; ownerName: string | null }

/** Active clients, oldest first. */
export async function listApiClients(deps: ClientDeps, accountId: string): Promise<ListedClient[]> {
  const clients = [...(await requireEntry(deps, accountId)).clients.values()]
  const standings = await listClientStatuses(deps.db, accountId)
  return clients.map((client) => {
    const standing = standings.get(client.clientId)
    return {
      ...client,
      lastUsedAtMs: standing?.lastUsedAtMs ?? null,
      ownerName: standing?.ownerName ?? null,
    }
  })
}

/** The client with this secret, or null; the duration reveals neither. */
export function checkClientSecret(
  { live }: Pick<Deps, 'live'>,
  entry: AccountEntry,
  clientId: string,
  secret: string,
): ApiClient | null {
  const client = entry.clients.get(clientId)
  const matches = timingSafeEqual(toHash(secret), client?.secretHash ?? NO_HASH)
  if (!client || !matches) return null
  return (live || entry.account.mode === 'live') && isDemoSecret(secret) ? null : client
}

function noClient(clientId: string): Refusal {
  return new Refusal('not_found', `There is no client ${clientId}.`)
}

const NO_HASH = Buffer.alloc(32)

function toHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

async function requireEntry(deps: Pick<ClientDeps, 'accounts'>, accountId: string): Promise<AccountEntry> {
  const entry = await deps.accounts.find(accountId)
  if (!entry) throw new Refusal('not_found', `There is no account ${accountId}.`)
  return entry
}

function* listIssues(
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
    yield {
      field: 'scopes',
      issue: 'required',
      message: `Give the client at least one of these scopes: ${SCOPES.join(', ')}.`,
    }
  for (const [index, scope] of scopes.entries()) {
    if ((SCOPES as readonly string[]).includes(scope)) continue
    const guess = didYouMean(scope, SCOPES) || ` The scopes are ${SCOPES.join(', ')}.`
    yield { field: `scopes[${index}]`, issue: 'invalid_value', message: `"${scope}" is not a scope.${guess}` }
  }
  yield* unknownStores(account, { by: 'store_references', names: storeReferences ?? [] }, () => true)
}
