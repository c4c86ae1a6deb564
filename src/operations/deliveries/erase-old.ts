import { SANDBOX_ADAPTERS } from '../../carriers/registry.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { eraseDeliveries, purgeOwnEvents } from '../../store/deliveries/erase-deliveries.ts'
import {
  AGED,
  listOver,
  listSweepsDue,
  lockSweep,
  postponeSweep,
  purgeAged,
  recordSweep,
} from '../../store/deliveries/retention.ts'
import { purgeRemovedCouriers } from '../../store/own-couriers/staff-couriers.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

const DAY_MS = 86_400_000
const ACCOUNTS_A_SHARE = 20
const DELIVERIES_A_SHARE = 200
const ROWS_A_SHARE = 1_000

/** `databaseMs` receives the database's time; a test returns another. */
type Clocks = { wallMs: () => number; databaseMs: (nowMs: number) => number }

const REAL_CLOCKS: Clocks = { wallMs: Date.now, databaseMs: (nowMs) => nowMs }

/**
 * Erases a batch of the rows past their account's `retention`, in each account that is due; returns the count. Any
 * number of processes may run it: one process works on an account at a time, and the batch and its progress are one
 * transaction. A row must be old by the account's clock, the wall clock and the database's clock, because a clock can
 * be set back but an erasure cannot be undone.
 */
export async function eraseOld(deps: Deps, clocks: Clocks = REAL_CLOCKS): Promise<number> {
  let erased = 0
  for (const accountId of await listSweepsDue(deps.db, ACCOUNTS_A_SHARE)) {
    try {
      const entry = await deps.accounts.find(accountId)
      if (entry) erased += await eraseOldOfAccount(deps, entry, clocks)
    } catch (error) {
      deps.log.error({ err: error, account: accountId }, 'an account’s old rows could not be erased')
      // Otherwise the account would stay first in the order, and twenty such accounts would stop all the others.
      await postponeSweep(deps.db, accountId)
    }
  }
  return erased
}

function eraseOldOfAccount(deps: Deps, entry: AccountEntry, clocks: Clocks): Promise<number> {
  const { id: accountId, retention } = entry.account
  const nowMs = entry.nowMs()
  return withTransaction(deps.db, async (db) => {
    const sweep = await lockSweep(db, accountId)
    if (!sweep) return 0
    const { erasedTo } = sweep
    const realMs = Math.min(clocks.wallMs(), clocks.databaseMs(sweep.nowMs))
    const beforeMs = Math.min(nowMs, realMs) - retention.deliveryDays * DAY_MS
    // The database stamps audit rows and removed couriers with its own time.
    const auditBeforeMs = realMs - retention.auditDays * DAY_MS
    const deliveryIds = await listOver(db, accountId, { erasedTo, beforeMs, limit: DELIVERIES_A_SHARE })
    const sandboxCarriers = [...SANDBOX_ADAPTERS.keys()]
    await eraseDeliveries(db, { accountId, deliveryIds, sandboxCarriers, nowMs })
    let erased = deliveryIds.length + (await purgeOwnEvents(db, accountId, beforeMs, ROWS_A_SHARE))
    for (const table of AGED) {
      const moment = table === 'audit_log' ? auditBeforeMs : beforeMs
      erased += await purgeAged(db, table, accountId, { beforeMs: moment, batch: ROWS_A_SHARE })
    }
    const documented = entry.account.stores.flatMap(({ id: storeId, staffCouriers }) =>
      staffCouriers.map(({ phone }) => ({ storeId, phone })),
    )
    const removedBeforeMs = realMs - retention.deliveryDays * DAY_MS
    erased += await purgeRemovedCouriers(db, accountId, removedBeforeMs, documented)
    await recordSweep(db, accountId, { erasedTo: deliveryIds.at(-1) ?? erasedTo, done: erased === 0 })
    return erased
  })
}
