import type { Pool, PoolClient } from 'pg'

type Db = Pool | PoolClient

export type SecretRow = { name: string; keyId: string; nonce: Buffer; ciphertext: Buffer; updatedAt: number }

const COLUMNS = `name, key_id as "keyId", nonce, ciphertext, updated_at as "updatedAt"`

/** All of the account, sealed as they are, by name. */
export async function listSecretRows(db: Db, accountId: string): Promise<SecretRow[]> {
  const { rows } = await db.query<SecretRow>(
    `select ${COLUMNS} from secrets where account_id = $1 order by name`,
    [accountId],
  )
  return rows
}

export async function upsertSecret(
  db: Db,
  accountId: string,
  secret: Omit<SecretRow, 'updatedAt'>,
): Promise<void> {
  await db.query(
    `insert into secrets (account_id, name, key_id, nonce, ciphertext) values ($1, $2, $3, $4, $5)
     on conflict (account_id, name) do update
     set key_id = excluded.key_id, nonce = excluded.nonce, ciphertext = excluded.ciphertext, updated_at = now()`,
    [accountId, secret.name, secret.keyId, secret.nonce, secret.ciphertext],
  )
}

/** Puts another sealing of the same secret in place, unless it was changed meanwhile. */
export async function replaceSealing(
  db: Db,
  accountId: string,
  old: SecretRow,
  sealed: Pick<SecretRow, 'keyId' | 'nonce' | 'ciphertext'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update secrets set key_id = $3, nonce = $4, ciphertext = $5
     where account_id = $1 and name = $2 and nonce = $6`,
    [accountId, old.name, sealed.keyId, sealed.nonce, sealed.ciphertext, old.nonce],
  )
  return rowCount === 1
}
