import { advanceDeliveries } from '../../src/operations/advance-deliveries.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { reassignDelivery } from '../../src/operations/reassign-delivery.ts'
import { requestCancel } from '../../src/operations/request-cancel.ts'
import { claimDelivery } from '../../src/store/due-deliveries.ts'
import { anyone } from '../world.ts'

/** What a process may be at when it dies: a worker's turn at one delivery, or a request to take it from its carrier. */
export type Work = { deliveryId: string; task: 'turn' | keyof typeof REQUESTS }

const REQUESTS = { cancel: requestCancel, reassign: reassignDelivery }

const ACCOUNT = 'demo'

/** Account time. */
export function nowOf({ accounts }: Pick<Deps, 'accounts'>, accountId: string): number {
  return accounts.find(accountId)?.nowMs() ?? Date.now()
}

/** Does exactly that, and nothing else. A turn that finds the delivery taken does nothing. */
export async function doWork(deps: Deps, { deliveryId, task }: Work): Promise<void> {
  if (task !== 'turn') {
    const entry = deps.accounts.find(ACCOUNT)
    if (!entry) throw new Error('The demo account is not there.')
    const name = { idOrReference: deliveryId, storeReference: null }
    await REQUESTS[task](deps, entry, anyone, name, { reason: 'changed my mind', wordGiven: false })
    return
  }
  const claimedAtMs = performance.now()
  const row = await claimDelivery(deps.db, ACCOUNT, deliveryId, {
    leaseMs: deps.leaseMs,
    nowMs: nowOf(deps, ACCOUNT),
  })
  if (row) await advanceDeliveries(deps, [{ row, claimedAtMs }])
}
