import { advanceDeliveries } from '../../src/operations/advance-deliveries.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { requestCancel } from '../../src/operations/request-cancel.ts'
import { claimDelivery } from '../../src/store/due-deliveries.ts'
import { anyone } from '../world.ts'

/** What a process may be at when it dies: a worker's turn at one delivery, or a request to cancel it. */
export type Work = { deliveryId: string; task: 'turn' | 'cancel' }

const ACCOUNT = 'demo'

/** Does exactly that, and nothing else. A turn that finds the delivery taken does nothing. */
export async function doWork(deps: Deps, { deliveryId, task }: Work): Promise<void> {
  if (task === 'cancel') {
    const entry = deps.accounts.find(ACCOUNT)
    if (!entry) throw new Error('The demo account is not there.')
    const name = { idOrReference: deliveryId, storeReference: null }
    await requestCancel(deps, entry, anyone, name, 'changed my mind')
    return
  }
  const claimedAtMs = performance.now()
  const row = await claimDelivery(deps.db, ACCOUNT, deliveryId, deps.leaseMs)
  if (row) await advanceDeliveries(deps, [{ row, claimedAtMs }])
}
