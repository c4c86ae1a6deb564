import type { Pool } from 'pg'
import { listSecretRows } from '../../store/accounts/secrets.ts'
import type { Sealer } from './seal.ts'

export type SecretDeps = { db: Pool; sealer: Sealer }

/**
 * Decrypts all secrets of the account, for the carriers that sign in with them; also returns the names of the secrets
 * that no key of ours decrypts.
 */
export async function openSecrets(
  { db, sealer }: SecretDeps,
  accountId: string,
): Promise<{ secrets: Map<string, string>; unreadable: string[] }> {
  const secrets = new Map<string, string>()
  const unreadable: string[] = []
  for (const row of await listSecretRows(db, accountId)) {
    try {
      secrets.set(row.name, sealer.open(row, toSecretPlace(accountId, row.name)))
    } catch {
      unreadable.push(row.name)
    }
  }
  return { secrets, unreadable }
}

/** The additional data that a credential's encryption is bound to. */
export function toSecretPlace(accountId: string, name: string): string {
  return `${accountId}|${name}`
}
