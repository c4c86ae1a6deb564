import { SANDBOX_ADAPTERS } from '../../carriers/registry.ts'
import { isFinal } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { findDeliveryForUpdate } from '../../store/deliveries/deliveries.ts'
import { eraseBesides, eraseDeliveries } from '../../store/deliveries/erase-deliveries.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

/**
 * Erases one delivery immediately, at the customer's request. False: it was already erased. Refuses `not_found`, and
 * `not_erasable` while it is under way.
 */
export async function eraseDelivery(
  deps: Pick<Deps, 'db'>,
  entry: AccountEntry,
  deliveryId: string,
  record: WriteAudit,
): Promise<boolean> {
  const accountId = entry.account.id
  return withTransaction(deps.db, async (db) => {
    const row = await findDeliveryForUpdate(db, accountId, deliveryId)
    if (!row) throw new Refusal('not_found', `There is no delivery ${deliveryId}.`)
    if (row.erased_at !== null) return false
    if (!isFinal(row.status)) {
      const message = `Delivery ${row.reference} is ${row.status}: cancel it or wait until it ends, then erase it.`
      throw new Refusal('not_erasable', message)
    }
    const one = { accountId, deliveryIds: [deliveryId], sandboxCarriers: [...SANDBOX_ADAPTERS.keys()] }
    await eraseBesides(db, one)
    await eraseDeliveries(db, { ...one, nowMs: entry.nowMs() })
    await record(db, { accountId, object: deliveryId })
    return true
  })
}
