import type { Pool } from 'pg'
import type { Account } from '../domain/account/account.ts'
import { compileAccount } from '../domain/account/compile.ts'
import { AccountDocument } from '../domain/account/document.ts'
import { findAccountDocument, listAccountIds } from '../store/accounts.ts'

/**
 * The snapshot of a stored version, or why this code cannot make one. Only what compiling needs is asked: a
 * document that was good when it was applied is not refused again for newer cross-checks.
 */
export async function loadAccount(
  db: Pool,
  accountId: string,
  version: number,
): Promise<{ account: Account; mistakes: [] } | { account: null; mistakes: string[] }> {
  const stored = await findAccountDocument(db, accountId, version)
  if (stored === null) return { account: null, mistakes: [`there is no version ${version}`] }
  const ids = await listAccountIds(db, accountId)
  const read = AccountDocument.safeParse(stored)
  if (!read.success) {
    return {
      account: null,
      mistakes: read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    }
  }
  try {
    return { account: compileAccount(read.data, { version, ...ids }), mistakes: [] }
  } catch (error) {
    return { account: null, mistakes: [(error as Error).message] }
  }
}
