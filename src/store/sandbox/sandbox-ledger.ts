import type { SandboxLedgerEntry } from '../../carriers/sandbox/engine/sandbox-store.ts'
import type { Db } from '../db/db.ts'

/** One thing that a sandbox carrier was asked; `entry` grows and serves as the cursor. */
export type SandboxLedgerRow = SandboxLedgerEntry & { entry: number }

/** The ledger of an account, oldest first, after the given entry; null `reference`: all of it. */
export async function listSandboxLedger(
  db: Db,
  accountId: string,
  { reference, after, limit }: { reference: string | null; after: number; limit: number },
): Promise<SandboxLedgerRow[]> {
  const { rows } = await db.query<SandboxLedgerRow>({
    text: `select account_id as "accountId", entry, at as "atMs", carrier, operation, reference,
        idempotency_key as "idempotencyKey", outcome, consignment_number as "consignmentNumber"
      from sandbox_ledger
      where account_id = $1 and entry > $2 ${reference === null ? '' : 'and reference = $4'}
      order by entry limit $3`,
    values: [accountId, after, limit, ...(reference === null ? [] : [reference])],
  })
  return rows
}
