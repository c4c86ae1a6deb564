import type { Pool } from 'pg'
import { listAccountHeads } from '../../store/accounts/accounts.ts'
import { listFactorsSealedOtherwise, replaceFactorSealing } from '../../store/people/user-factors.ts'
import { listEndpointsSealedOtherwise, replaceEndpointSealing } from '../../store/webhooks/webhook-secrets.ts'
import { endpointPlace, factorPlace, type Sealer } from '../secrets/seal.ts'
import { resealAnswers } from '../secrets/sealed-answers.ts'
import { resealSecrets } from './secrets.ts'

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
