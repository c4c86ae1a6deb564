import type { Pool } from 'pg'
import { secretName } from '../../domain/account/document/primitives.ts'
import { Refusal } from '../../domain/errors.ts'
import { announceAccount, findAccountHead, listAccountHeads } from '../../store/accounts/accounts.ts'
import {
  deleteSecretRow,
  listSecretRows,
  listStoredSecrets,
  replaceSealing,
  upsertSecret,
} from '../../store/accounts/secrets.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { listFactorsSealedOtherwise, replaceFactorSealing } from '../../store/people/user-factors.ts'
import { listEndpointsSealedOtherwise, replaceEndpointSealing } from '../../store/webhooks/webhook-secrets.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import { type SecretDeps, toSecretPlace } from '../secrets/open-secrets.ts'
import { endpointPlace, factorPlace, type Sealer } from '../secrets/seal.ts'
import { resealAnswers } from '../secrets/sealed-answers.ts'

/** Stores a credential under the name that account documents use for it. Throws a Refusal. */
export async function setSecret(
  { db, sealer }: SecretDeps,
  accountId: string,
  { name, secret }: { name: string; secret: string },
  record: WriteAudit = noAudit,
): Promise<void> {
  const named = secretName.safeParse(name)
  if (!named.success)
    throw new Refusal('invalid_request', `"${name}" is not ${named.error.issues[0]?.message}.`)
  if (secret === '') throw new Refusal('invalid_request', 'The secret is empty.')
  await withTransaction(db, async (client) => {
    if (!(await findAccountHead(client, accountId))) {
      throw new Refusal('not_found', `There is no account ${accountId}: apply its document first.`)
    }
    await upsertSecret(client, accountId, { name, ...sealer.seal(secret, toSecretPlace(accountId, name)) })
    await announceAccount(client, accountId)
    await record(client, { accountId, object: name })
  })
}

/** Deletes a credential. Documents that name it stay as they are. Throws a Refusal `not_found`. */
export async function deleteSecret(
  { db }: { db: Pool },
  accountId: string,
  name: string,
  record: WriteAudit = noAudit,
): Promise<void> {
  await withTransaction(db, async (client) => {
    if (!(await deleteSecretRow(client, accountId, name))) {
      throw new Refusal('not_found', 'No credential is stored under this name.')
    }
    await announceAccount(client, accountId)
    await record(client, { accountId, object: name })
  })
}

/** Names only; secrets are never shown. `storedBy`: null if it was the operator or the command line, or is not known. */
export async function listSecrets(
  { db }: { db: Pool },
  accountId: string,
): Promise<{ name: string; updatedAtMs: number; storedBy: string | null }[]> {
  const rows = await listStoredSecrets(db, accountId)
  return rows.map(({ name, updatedAt, storedBy }) => ({ name, updatedAtMs: updatedAt, storedBy }))
}

/** After a key rotation: re-encrypts with the newest key what older keys encrypted. Returns how many. */
export async function resealSecrets({ db, sealer }: SecretDeps, accountId: string): Promise<number> {
  let resealed = 0
  for (const row of await listSecretRows(db, accountId)) {
    if (row.keyId === sealer.keyId) continue
    const place = toSecretPlace(accountId, row.name)
    if (await replaceSealing(db, accountId, row, sealer.seal(sealer.open(row, place), place))) resealed++
  }
  return resealed
}

/**
 * Key rotation: re-encrypts all secrets with the newest key, so that older keys can be removed. Reads continue
 * meanwhile. Returns how many were re-encrypted; throws if a secret was encrypted with a key that is not configured.
 */
export async function resealAll(deps: {
  db: Pool
  sealer: Sealer
}): Promise<{ secrets: number; answers: number; webhooks: number; factors: number }> {
  let [secrets, answers] = [0, 0]
  for (const { accountId } of await listAccountHeads(deps.db)) {
    secrets += await resealSecrets(deps, accountId)
    answers += await resealAnswers(deps, accountId)
  }
  return { secrets, answers, webhooks: await resealWebhooks(deps), factors: await resealFactors(deps) }
}

/** People's second factors. */
async function resealFactors({ db, sealer }: { db: Pool; sealer: Sealer }): Promise<number> {
  let resealed = 0
  for (const factor of await listFactorsSealedOtherwise(db, sealer.keyId)) {
    const place = factorPlace(factor)
    if (await replaceFactorSealing(db, factor, sealer.seal(sealer.open(factor.secret, place), place)))
      resealed += 1
  }
  return resealed
}

async function resealWebhooks({ db, sealer }: { db: Pool; sealer: Sealer }): Promise<number> {
  let resealed = 0
  for (const endpoint of await listEndpointsSealedOtherwise(db, sealer.keyId)) {
    const place = endpointPlace(endpoint)
    const secret = sealer.seal(sealer.open(endpoint.secret, place), place)
    const old = endpoint.old && sealer.seal(sealer.open(endpoint.old, place), place)
    if (await replaceEndpointSealing(db, endpoint, { secret, old })) resealed += 1
  }
  return resealed
}
