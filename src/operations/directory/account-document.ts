import type { Pool, PoolClient } from 'pg'
import { parseJsonInSteps } from '../../domain/text/parse-json-in-steps.ts'
import { findAccountText } from '../../store/accounts/accounts.ts'
import { inTurns } from '../concurrency/in-turns.ts'

/** The document as it was applied, members in their order, or null when there is no such version. */
export async function findAccountDocument(
  db: Pool | PoolClient,
  accountId: string,
  version: number,
): Promise<object | null> {
  const text = await findAccountText(db, accountId, version)
  return text === null ? null : ((await inTurns(parseJsonInSteps(text))) as object)
}
