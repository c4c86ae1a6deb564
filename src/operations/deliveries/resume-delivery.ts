import { withTransaction } from '../../store/db/pool.ts'
import { requeueDelivery } from '../../store/deliveries/due-deliveries.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

/**
 * Dead letter: puts a delivery that was taken out of the queue back into it. Its status decides the next step: booking,
 * querying the outcome, tracking or recalling. False: it was not out of the queue, or has ended.
 */
export async function resumeDelivery(
  deps: Pick<Deps, 'db'>,
  entry: AccountEntry,
  deliveryId: string,
  record: WriteAudit,
): Promise<boolean> {
  const accountId = entry.account.id
  return withTransaction(deps.db, async (db) => {
    const resumed = await requeueDelivery(db, accountId, deliveryId, entry.nowMs())
    if (resumed) await record(db, { accountId, object: deliveryId })
    return resumed
  })
}
