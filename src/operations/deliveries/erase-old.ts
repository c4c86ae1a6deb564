import { SANDBOX_ADAPTERS } from '../../carriers/registry.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { eraseDeliveries, purgeOwnEvents } from '../../store/deliveries/erase-deliveries.ts'
import {
  AGED,
  listOver,
  listSweepsDue,
  lockSweep,
  purgeAged,
  recordSweep,
} from '../../store/deliveries/retention.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

const DAY_MS = 86_400_000
const ACCOUNTS_A_SHARE = 20
const DELIVERIES_A_SHARE = 200
const ROWS_A_SHARE = 1_000

/**
 * Erases a batch of the rows past their account's `retention`, in each account that is due; returns the count. Any
 * number of processes may run it: one process works on an account at a time, and the batch and its progress are one
 * transaction. A row must be old by both the account's clock and the wall clock, because a clock can be set back but an
 * erasure cannot be undone.
 */
export async function eraseOld(deps: Deps, wallMs: () => number = Date.now): Promise<number> {
  let erased = 0
  for (const accountId of await listSweepsDue(deps.db, ACCOUNTS_A_SHARE)) {
    const entry = await deps.accounts.find(accountId)
    if (entry) erased += await eraseOldOfAccount(deps, entry, wallMs())
  }
  return erased
}

function eraseOldOfAccount(deps: Deps, entry: AccountEntry, wallMs: number): Promise<number> {
  const { id: accountId, retention } = entry.account
  const nowMs = entry.nowMs()
  const beforeMs = Math.min(nowMs, wallMs) - retention.deliveryDays * DAY_MS
  const auditBeforeMs = wallMs - retention.auditDays * DAY_MS
  return withTransaction(deps.db, async (db) => {
    const erasedTo = await lockSweep(db, accountId)
    if (erasedTo === null) return 0
    const deliveryIds = await listOver(db, accountId, { erasedTo, beforeMs, limit: DELIVERIES_A_SHARE })
    const sandboxCarriers = [...SANDBOX_ADAPTERS.keys()]
    await eraseDeliveries(db, { accountId, deliveryIds, sandboxCarriers, nowMs })
    let erased = deliveryIds.length + (await purgeOwnEvents(db, accountId, beforeMs, ROWS_A_SHARE))
    for (const table of AGED) {
      const moment = table === 'audit_log' ? auditBeforeMs : beforeMs
      erased += await purgeAged(db, table, accountId, { beforeMs: moment, batch: ROWS_A_SHARE })
    }
    await recordSweep(db, accountId, { erasedTo: deliveryIds.at(-1) ?? erasedTo, done: erased === 0 })
    return erased
  })
}
