import type { Pool } from 'pg'
import { listSecretRows } from '../../store/accounts/secrets.ts'
import type { Sealer } from './seal.ts'

export type SecretDeps = { db: Pool; sealer: Sealer }

/** All secrets of the account in clear, for the carriers that sign in with them; and the names of those that none of our keys opens. */
export async function openSecrets(
  { db, sealer }: SecretDeps,
  accountId: string,
): Promise<{ secrets: Map<string, string>; unreadable: string[] }> {
  const secrets = new Map<string, string>()
  const unreadable: string[] = []
  for (const row of await listSecretRows(db, accountId)) {
    try {
      secrets.set(row.name, sealer.open(row, placeOf(accountId, row.name)))
    } catch {
      unreadable.push(row.name)
    }
  }
  return { secrets, unreadable }
}

/** What a credential's sealing is bound to. */
export function placeOf(accountId: string, name: string): string {
  return `${accountId}|${name}`
}
