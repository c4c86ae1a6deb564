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

/** False when there is no such client, or it was revoked before. */
export async function revokeApiClientRow(db: Db, accountId: string, clientId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update api_clients set revoked_at = now() where account_id = $1 and client_id = $2 and revoked_at is null`,
    [accountId, clientId],
  )
  return rowCount === 1
}
