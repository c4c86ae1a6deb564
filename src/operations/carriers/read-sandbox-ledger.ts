import { Refusal } from '../../domain/errors.ts'
import { listSandboxLedger, type SandboxLedgerRow } from '../../store/sandbox/sandbox-ledger.ts'
import type { Deps } from '../deps.ts'

/**
 * Requests that the sandbox carriers received, oldest first; `next` is the cursor of the next page, null on
 * the last page.
 */
export async function readSandboxLedger(
  deps: Pick<Deps, 'db' | 'accounts'>,
  accountId: string,
  asked: { reference: string | null; after: number; limit: number },
): Promise<{ entries: SandboxLedgerRow[]; next: number | null }> {
  if (!deps.accounts.head(accountId)) throw new Refusal('not_found', `There is no account ${accountId}.`)
  const rows = await listSandboxLedger(deps.db, accountId, { ...asked, limit: asked.limit + 1 })
  const entries = rows.slice(0, asked.limit)
  return { entries, next: rows.length > asked.limit ? (entries.at(-1)?.entry ?? null) : null }
}
