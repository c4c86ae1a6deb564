import type { Pool, PoolClient } from 'pg'

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
}

const COLUMNS = `client_id as "clientId", name, secret_hash as "secretHash", scopes,
  store_references as "storeReferences", created_at as "createdAt"`

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
    `insert into api_clients (account_id, client_id, name, secret_hash, scopes, store_references)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [accountId, client.clientId, client.name, client.secretHash, client.scopes, client.storeReferences],
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

/** When each client in force was last used, by its id; those that never were are left out. */
export async function listClientUses(db: Db, accountId: string): Promise<Map<string, number>> {
  const { rows } = await db.query<{ clientId: string; atMs: number }>({
    name: 'list-client-uses',
    text: `select client_id as "clientId", last_used_at as "atMs" from api_clients
      where account_id = $1 and revoked_at is null and last_used_at is not null`,
    values: [accountId],
  })
  return new Map(rows.map(({ clientId, atMs }) => [clientId, atMs]))
}

export type ClientUse = { accountId: string; clientId: string }

/** Says that these were used just now. A row that another process writes is left to it: it says the same. */
export async function noteClientUses(db: Db, uses: readonly ClientUse[]): Promise<void> {
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
