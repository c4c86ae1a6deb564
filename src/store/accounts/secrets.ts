import type { Db } from '../db/db.ts'

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

export type StoredSecret = { name: string; updatedAt: number; storedBy: string | null }

/**
 * Each name with its last change, and the name of the person or client of that change as the audit log has it. The
 * audit row of a change has the change's time, because both are of one transaction. Ids would not do: they have the
 * clocks of their processes.
 */
export async function listStoredSecrets(db: Db, accountId: string): Promise<StoredSecret[]> {
  const { rows } = await db.query<StoredSecret>(
    `with people as materialized (
       select account_id, user_id, coalesce(name, email) as name from users where account_id in ($1, '~'))
     select s.name, s.updated_at as "updatedAt", coalesce(u.name, c.name) as "storedBy"
     from secrets as s
     left join lateral (
       select actor_kind, actor from audit_log
       where account_id = $1 and object = s.name and action = 'setSecret' and at = s.updated_at
       order by audit_id desc limit 1
     ) as a on true
     left join people as u on a.actor_kind = 'user' and u.user_id = a.actor
     left join api_clients as c on a.actor_kind = 'client' and c.account_id = $1 and c.client_id = a.actor
     where s.account_id = $1 order by s.name`,
    [accountId],
  )
  return rows
}

/** Whether a secret is stored, and was not last stored by a user of the account, as the audit log has it. */
export async function isStoredByOthers(db: Db, accountId: string, name: string): Promise<boolean> {
  const { rows } = await db.query<{ byUser: boolean }>(
    `select coalesce((
       select a.actor_kind = 'user' and exists (
         select from users as u where u.account_id = a.account_id and u.user_id = a.actor)
       from audit_log as a
       where a.account_id = s.account_id and a.object = s.name and a.action = 'setSecret'
       order by a.audit_id desc limit 1), false) as "byUser"
     from secrets as s where s.account_id = $1 and s.name = $2`,
    [accountId, name],
  )
  return rows[0]?.byUser === false
}

/** Returns the names that there were. */
export async function deleteSecretRows(
  db: Db,
  accountId: string,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return []
  const { rows } = await db.query<{ name: string }>(
    'delete from secrets where account_id = $1 and name = any($2) returning name',
    [accountId, names],
  )
  return rows.map(({ name }) => name).sort()
}

/** Returns whether there was one. */
export async function deleteSecretRow(db: Db, accountId: string, name: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from secrets where account_id = $1 and name = $2', [
    accountId,
    name,
  ])
  return rowCount === 1
}

export async function upsertSecret(
  db: Db,
  accountId: string,
  secret: Omit<SecretRow, 'updatedAt'>,
): Promise<void> {
  await db.query(
    `insert into secrets (account_id, name, key_id, nonce, ciphertext, updated_at)
     values ($1, $2, $3, $4, $5, now())
     on conflict (account_id, name) do update
     set key_id = excluded.key_id, nonce = excluded.nonce, ciphertext = excluded.ciphertext,
       updated_at = excluded.updated_at`,
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

/** The prefix of a stored response that is encrypted; the id of its key follows. */
export const SEALED = 'sealed:'

export type SealedAnswer = { key: string; body: string }

/** Keys read at a time: few enough for one short statement. */
const PAGE = 1000

/**
 * Stored responses of the account that were encrypted with another key than this one, among the idempotency keys after
 * `after` in name order (`''`: from the first). `last` is the name to continue after, null at the end.
 */
export async function listAnswersSealedOtherwise(
  db: Db,
  { accountId, keyId, after }: { accountId: string; keyId: string; after: string },
): Promise<{ answers: SealedAnswer[]; last: string | null }> {
  const { rows } = await db.query<{ key: string; body: string | null }>(
    `select key, case when status is not null and starts_with(body, $3) and not starts_with(body, $4)
                      then body end as body
     from idempotency_keys where account_id = $1 and key > $2 order by key limit ${PAGE}`,
    [accountId, after, SEALED, `${SEALED}${keyId}:`],
  )
  const answers = rows.flatMap(({ key, body }) => (body === null ? [] : [{ key, body }]))
  return { answers, last: rows.length < PAGE ? null : (rows.at(-1)?.key ?? null) }
}

/** Replaces a response by its re-encrypted form, unless another request has taken the idempotency key meanwhile. */
export async function replaceAnswerSealing(
  db: Db,
  accountId: string,
  { key, body }: SealedAnswer,
  sealed: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update idempotency_keys set body = $4 where account_id = $1 and key = $2 and body = $3',
    [accountId, key, body, sealed],
  )
  return rowCount === 1
}
