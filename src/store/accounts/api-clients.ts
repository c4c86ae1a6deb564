import type { Pool, PoolClient } from 'pg'
import { engineOf } from '../db/engine.ts'

type Db = Pool | PoolClient

export type ApiClientRow = {
  clientId: string
  name: string
  /** SHA-256 of the secret; the secret itself is nowhere. */
  secretHash: Buffer
  scopes: string[]
  /** Null: every store of the account. */
  storeReferences: string[] | null
  createdAt: number
  /** Null: the installation's own. */
  owner: ClientOwner | null
}

/** A person; `accountId` is `INSTALLATION` for an operator. */
export type ClientOwner = { accountId: string; userId: string }

const COLUMNS = `client_id as "clientId", name, secret_hash as "secretHash", scopes,
  store_references as "storeReferences", created_at as "createdAt",
  case when owner_user_id is not null
    then json_build_object('accountId', owner_account_id, 'userId', owner_user_id) end as owner`

/** Those that were not revoked, oldest first. */
export async function listApiClientRows(db: Db, accountId: string): Promise<ApiClientRow[]> {
  const { rows } = await db.query<ApiClientRow>({
    name: 'list-api-clients',
    text: `select ${COLUMNS} from api_clients where account_id = $1 and revoked_at is null order by created_at, client_id`,
    values: [accountId],
  })
  return rows
}

/** False when the account has, or had, a client of this id. */
export async function insertApiClient(
  db: Db,
  accountId: string,
  client: Omit<ApiClientRow, 'createdAt'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into api_clients (account_id, client_id, name, secret_hash, scopes, store_references, owner_account_id,
       owner_user_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [
      accountId,
      client.clientId,
      client.name,
      client.secretHash,
      client.scopes,
      client.storeReferences,
      client.owner?.accountId,
      client.owner?.userId,
    ],
  )
  return rowCount === 1
}

/** False when it has them all, is revoked, or is none. */
export async function addClientScopes(
  db: Db,
  accountId: string,
  clientId: string,
  scopes: readonly string[],
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update api_clients set scopes = array(select distinct unnest(scopes || $3::text[]))
     where account_id = $1 and client_id = $2 and revoked_at is null and not scopes @> $3::text[]`,
    [accountId, clientId, scopes],
  )
  return rowCount === 1
}

/** False when there is no such client, or it was revoked before. */
export async function revokeApiClientRow(db: Db, accountId: string, clientId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update api_clients set revoked_at = now() where account_id = $1 and client_id = $2 and revoked_at is null`,
    [accountId, clientId],
  )
  return rowCount === 1
}

/** Gives a client another owner. False when there is no such client, or it was revoked. */
export async function changeClientOwner(
  db: Db,
  accountId: string,
  clientId: string,
  owner: ClientOwner | null,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'change-client-owner',
    text: `update api_clients set owner_account_id = $3, owner_user_id = $4
      where account_id = $1 and client_id = $2 and revoked_at is null`,
    values: [accountId, clientId, owner?.accountId, owner?.userId],
  })
  return rowCount === 1
}

/** Revokes every client of this owner, an operator's in each account; returns which. */
export async function revokeClientsOfOwner(db: Db, owner: ClientOwner): Promise<ClientUse[]> {
  const { rows } = await db.query<ClientUse>({
    name: 'revoke-clients-of-owner',
    text: `update api_clients set revoked_at = now()
      where owner_account_id = $1 and owner_user_id = $2 and revoked_at is null
      returning account_id as "accountId", client_id as "clientId"`,
    values: [owner.accountId, owner.userId],
  })
  return rows
}

/** `lastUsedAtMs` null: never used. `ownerName`: the owner's name, or their email address. */
export type ClientStatus = { clientId: string; lastUsedAtMs: number | null; ownerName: string | null }

/** What changes of each active client without a new revision of its account, by the client's id. */
export async function listClientStatuses(db: Db, accountId: string): Promise<Map<string, ClientStatus>> {
  const { rows } = await db.query<ClientStatus>({
    name: 'list-client-statuses',
    // An owner is a user of the account or an operator (account `~`). Citus can’t join across accounts, so we read the owners first.
    text: `with owners as materialized (
        select account_id, user_id, coalesce(name, email) as name from users where account_id in ($1, '~'))
      select c.client_id as "clientId", c.last_used_at as "lastUsedAtMs",
        u.name as "ownerName"
      from api_clients as c
      left join owners as u on u.account_id = c.owner_account_id and u.user_id = c.owner_user_id
      where c.account_id = $1 and c.revoked_at is null`,
    values: [accountId],
  })
  return new Map(rows.map((row) => [row.clientId, row]))
}

export type ClientUse = { accountId: string; clientId: string }

/** Says that these were used just now. A row that another process writes is left to it: it says the same. */
export async function noteClientUses(db: Db, uses: readonly ClientUse[]): Promise<void> {
  if (engineOf(db) === 'citus') {
    for (const { accountId, clientId } of uses)
      await db.query({
        name: 'note-client-use',
        text: 'update api_clients set last_used_at = now() where account_id = $1 and client_id = $2',
        values: [accountId, clientId],
      })
    return
  }
  await db.query({
    name: 'note-client-uses',
    text: `with used as (
        select c.account_id, c.client_id from unnest($1::text[], $2::text[]) as u(account_id, client_id)
        join api_clients as c on c.account_id = u.account_id and c.client_id = u.client_id
        for no key update of c skip locked)
      update api_clients as c set last_used_at = now() from used
      where c.account_id = used.account_id and c.client_id = used.client_id`,
    values: [uses.map(({ accountId }) => accountId), uses.map(({ clientId }) => clientId)],
  })
}
