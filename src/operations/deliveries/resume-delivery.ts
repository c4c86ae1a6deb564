import { withTransaction } from '../../store/db/pool.ts'
import { unparkDelivery } from '../../store/deliveries/due-deliveries.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import type { Record } from '../context/audit.ts'
import type { Deps } from '../context/deps.ts'

/**
 * Puts a delivery that was taken out of the queue back into it, whatever its status has left to do: to be booked, asked
 * about, followed or asked back. False: it was not out of the queue, or has ended.
 */
export async function resumeDelivery(
  deps: Pick<Deps, 'db'>,
  entry: AccountEntry,
  deliveryId: string,
  record: Record,
): Promise<boolean> {
  const accountId = entry.account.id
  return withTransaction(deps.db, async (db) => {
    const resumed = await unparkDelivery(db, accountId, deliveryId, entry.nowMs())
    if (resumed) await record(db, { accountId, object: deliveryId })
    return resumed
  })
}
