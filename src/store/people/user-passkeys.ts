import type { OwnPasskey } from '../../domain/people/user.ts'
import type { Db } from '../db/db.ts'
import type { FactorKey } from './user-factors.ts'

/** What an authenticator made: `publicKey` is a COSE key. */
export type Credential = {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  transports: readonly string[]
  synced: boolean
}

export type PasskeyRow = OwnPasskey & Credential

const COLUMNS = `p.passkey_id as "passkeyId", p.name, p.synced, p.created_at as "createdAtMs",
  p.last_used_at as "lastUsedAtMs", p.credential_id as "credentialId", p.public_key as "publicKey",
  p.sign_count as "signCount", p.transports`

/** Oldest first. */
export async function listPasskeys(db: Db, { accountId, userId }: FactorKey): Promise<PasskeyRow[]> {
  const { rows } = await db.query<PasskeyRow>({
    name: 'list-passkeys',
    text: `select ${COLUMNS} from user_passkeys as p where p.account_id = $1 and p.user_id = $2
      order by p.created_at, p.passkey_id`,
    values: [accountId, userId],
  })
  return rows
}

/** The passkeys of this credential and whose they are: at most one in each of these accounts. */
export async function listPasskeysByCredential(
  db: Db,
  accountIds: readonly string[],
  credentialId: Buffer,
): Promise<(FactorKey & PasskeyRow)[]> {
  const { rows } = await db.query<FactorKey & PasskeyRow>({
    name: 'list-passkeys-by-credential',
    text: `select ${COLUMNS}, p.account_id as "accountId", p.user_id as "userId"
      from unnest($1::text[]) as a(account_id) join user_passkeys as p using (account_id)
      where p.credential_id = $2`,
    values: [accountIds, credentialId],
  })
  return rows
}

/** False when the account has this credential already. */
export async function insertPasskey(
  db: Db,
  { accountId, userId }: FactorKey,
  { passkeyId, name }: Pick<OwnPasskey, 'passkeyId' | 'name'>,
  { credentialId, publicKey, signCount, transports, synced }: Credential,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'insert-passkey',
    text: `insert into user_passkeys (account_id, user_id, passkey_id, name, credential_id, public_key, sign_count,
        transports, synced)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (account_id, credential_id) do nothing`,
    values: [accountId, userId, passkeyId, name, credentialId, publicKey, signCount, transports, synced],
  })
  return rowCount === 1
}

/** Notes a use. False: the passkey has been removed meanwhile. */
export async function touchPasskey(
  db: Db,
  { accountId, userId }: FactorKey,
  { passkeyId, signCount, synced }: Pick<PasskeyRow, 'passkeyId' | 'signCount' | 'synced'>,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'touch-passkey',
    text: `update user_passkeys set last_used_at = now(), sign_count = $4, synced = $5
      where account_id = $1 and user_id = $2 and passkey_id = $3`,
    values: [accountId, userId, passkeyId, signCount, synced],
  })
  return rowCount === 1
}

/** Null: the user has no such passkey. */
export async function renamePasskey(
  db: Db,
  { accountId, userId }: FactorKey,
  { passkeyId, name }: Pick<OwnPasskey, 'passkeyId' | 'name'>,
): Promise<OwnPasskey | null> {
  const { rows } = await db.query<PasskeyRow>({
    name: 'rename-passkey',
    text: `update user_passkeys as p set name = $4
      where p.account_id = $1 and p.user_id = $2 and p.passkey_id = $3 returning ${COLUMNS}`,
    values: [accountId, userId, passkeyId, name],
  })
  return rows[0] ?? null
}

/** False: the user has no such passkey. */
export async function deletePasskey(
  db: Db,
  { accountId, userId }: FactorKey,
  passkeyId: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'delete-passkey',
    text: 'delete from user_passkeys where account_id = $1 and user_id = $2 and passkey_id = $3',
    values: [accountId, userId, passkeyId],
  })
  return rowCount === 1
}

/** How many there were. */
export async function deletePasskeys(db: Db, { accountId, userId }: FactorKey): Promise<number> {
  const { rowCount } = await db.query({
    name: 'delete-passkeys-of-user',
    text: 'delete from user_passkeys where account_id = $1 and user_id = $2',
    values: [accountId, userId],
  })
  return rowCount ?? 0
}

/** Uses a challenge: of many who answer it at once one gets true. */
export async function usePasskeyChallenge(
  db: Db,
  accountId: string,
  { challengeHash, expiresMs }: { challengeHash: Buffer; expiresMs: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'use-passkey-challenge',
    text: `insert into used_passkey_challenges (account_id, challenge_hash, expires_at)
      values ($1, $2, to_timestamp($3::float8 / 1000)) on conflict do nothing`,
    values: [accountId, challengeHash, expiresMs],
  })
  return rowCount === 1
}
