import type { Pool } from 'pg'
import { listAccountHeads } from '../../store/accounts/accounts.ts'
import { listFactorsSealedOtherwise } from '../../store/people/user-factors.ts'
import { listEndpointsSealedOtherwise } from '../../store/webhooks/webhook-secrets.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import { endpointPlace, factorPlace, type Sealed, type Sealer } from '../secrets/seal.ts'

export type UnreadableSecrets = {
  secrets: number
  webhooks: number
  factors: number
  /** The first carriers' secrets, as `account/name`. */
  names: string[]
}

const NAMED = 3

/**
 * How many of the stored secrets no key of ours decrypts. Answers that are kept for repeated requests are left out: they
 * expire within days.
 */
export async function countUnreadable(deps: { db: Pool; sealer: Sealer }): Promise<UnreadableSecrets> {
  const names: string[] = []
  for (const { accountId } of await listAccountHeads(deps.db)) {
    const { unreadable } = await openSecrets(deps, accountId)
    names.push(...unreadable.map((name) => `${accountId}/${name}`))
  }
  const { db, sealer } = deps
  const opens = (sealed: Sealed, place: string) => {
    try {
      sealer.open(sealed, place)
      return true
    } catch {
      return false
    }
  }
  const factors = await listFactorsSealedOtherwise(db, sealer.keyId)
  const endpoints = await listEndpointsSealedOtherwise(db, sealer.keyId)
  return {
    secrets: names.length,
    factors: factors.filter((factor) => !opens(factor.secret, factorPlace(factor))).length,
    webhooks: endpoints.filter(
      (endpoint) =>
        !opens(endpoint.secret, endpointPlace(endpoint)) ||
        (endpoint.old !== null && !opens(endpoint.old, endpointPlace(endpoint))),
    ).length,
    names: names.slice(0, NAMED),
  }
}
