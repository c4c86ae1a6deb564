import type { Db } from '../db/db.ts'

/** Whose factor it is. */
export type FactorKey = { accountId: string; userId: string }
export type SealedFactor = { keyId: string; nonce: Buffer; ciphertext: Buffer }
export type FactorRow = FactorKey & { secret: SealedFactor; isConfirmed: boolean }

type Row = FactorKey & SealedFactor & { isConfirmed: boolean }
const COLUMNS = `account_id as "accountId", user_id as "userId", key_id as "keyId", nonce, ciphertext,
  confirmed_at is not null as "isConfirmed"`

/** Begins an enrolment, in place of one that was not confirmed. False: the user has a confirmed factor. */
export async function beginFactor(
  db: Db,
  { accountId, userId }: FactorKey,
  secret: SealedFactor,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'begin-user-factor',
    text: `insert into user_factors as f (account_id, user_id, key_id, nonce, ciphertext, created_at)
      values ($1, $2, $3, $4, $5, now())
      on conflict (account_id, user_id) do update
      set key_id = excluded.key_id, nonce = excluded.nonce, ciphertext = excluded.ciphertext,
        created_at = excluded.created_at,
        last_step = 0
      where f.confirmed_at is null`,
    values: [accountId, userId, secret.keyId, secret.nonce, secret.ciphertext],
  })
  return rowCount === 1
}

export async function findFactor(db: Db, { accountId, userId }: FactorKey): Promise<FactorRow | null> {
  const { rows } = await db.query<Row>({
    name: 'find-user-factor',
    text: `select ${COLUMNS} from user_factors where account_id = $1 and user_id = $2`,
    values: [accountId, userId],
  })
  return rows[0] ? toFactor(rows[0]) : null
}

/**
 * Confirms an enrolment with the step of a right code, and stores its recovery codes; every session of the user but
 * this one is over. False: it was confirmed already, or a new enrolment has begun.
 */
export async function confirmFactor(
  db: Db,
  { accountId, userId }: FactorKey,
  {
    nonce,
    step,
    codeHashes,
    tokenHash,
  }: { nonce: Buffer; step: number; codeHashes: Buffer[]; tokenHash: Buffer },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'confirm-user-factor',
    text: `update user_factors set confirmed_at = now(), last_step = $4
      where account_id = $1 and user_id = $2 and nonce = $3 and confirmed_at is null`,
    values: [accountId, userId, nonce, step],
  })
  if (rowCount !== 1) return false
  await db.query({
    name: 'insert-recovery-codes',
    text: `insert into user_recovery_codes (account_id, user_id, code_hash) select $1, $2, unnest($3::bytea[])`,
    values: [accountId, userId, codeHashes],
  })
  await db.query({
    name: 'keep-session-of-factor',
    text: `with gone as (
        delete from user_sessions where account_id = $1 and user_id = $2 and token_hash <> $3)
      update user_sessions set by_second_factor = true
      where account_id = $1 and user_id = $2 and token_hash = $3`,
    values: [accountId, userId, tokenHash],
  })
  return true
}

/** Uses the code of this step: of many who try at once one gets true, and no earlier code is good any more. */
export async function useFactorStep(
  db: Db,
  { accountId, userId }: FactorKey,
  step: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'use-user-factor',
    text: `update user_factors set last_step = $3
      where account_id = $1 and user_id = $2 and confirmed_at is not null and last_step < $3`,
    values: [accountId, userId, step],
  })
  return rowCount === 1
}

/** Uses a recovery code, once. */
export async function useRecoveryCode(
  db: Db,
  { accountId, userId }: FactorKey,
  hash: Buffer,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'use-recovery-code',
    text: 'delete from user_recovery_codes where account_id = $1 and user_id = $2 and code_hash = $3',
    values: [accountId, userId, hash],
  })
  return rowCount === 1
}

export async function countRecoveryCodes(db: Db, { accountId, userId }: FactorKey): Promise<number> {
  const { rows } = await db.query<{ left: number }>({
    name: 'count-recovery-codes',
    text: 'select count(*)::int as left from user_recovery_codes where account_id = $1 and user_id = $2',
    values: [accountId, userId],
  })
  return rows[0]?.left ?? 0
}

/** Takes the factor away, with its recovery codes. False: there was none. */
export async function deleteFactor(db: Db, { accountId, userId }: FactorKey): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'delete-user-factor',
    text: 'delete from user_factors where account_id = $1 and user_id = $2',
    values: [accountId, userId],
  })
  return rowCount === 1
}

/** Those that were sealed with another key than this. */
export async function listFactorsSealedOtherwise(db: Db, keyId: string): Promise<FactorRow[]> {
  const { rows } = await db.query<Row>(`select ${COLUMNS} from user_factors where key_id <> $1`, [keyId])
  return rows.map(toFactor)
}

/** Puts another sealing of the same secret in place, unless it was replaced meanwhile. */
export async function replaceFactorSealing(
  db: Db,
  factor: FactorRow,
  sealed: SealedFactor,
): Promise<boolean> {
  const { accountId, userId, secret } = factor
  const { rowCount } = await db.query(
    `update user_factors set key_id = $4, nonce = $5, ciphertext = $6
     where account_id = $1 and user_id = $2 and nonce = $3`,
    [accountId, userId, secret.nonce, sealed.keyId, sealed.nonce, sealed.ciphertext],
  )
  return rowCount === 1
}

function toFactor({ accountId, userId, keyId, nonce, ciphertext, isConfirmed }: Row): FactorRow {
  return { accountId, userId, secret: { keyId, nonce, ciphertext }, isConfirmed }
}
