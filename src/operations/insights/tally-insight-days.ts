import { atLocal, localDay, type Zone } from '../../domain/calendar/zone.ts'
import { withTransaction } from '../../store/db/pool.ts'
import {
  claimStoresToTally,
  findToTally,
  lockProgress,
  recordProgress,
  type StoreOfAccount,
  tallyDay,
} from '../../store/insights/insight-days.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

const STORES_A_SHARE = 20
/** A day with 100,000 deliveries of one store takes five seconds. */
const DAY_TIMEOUT_MS = 120_000

/**
 * Tallies the next past day of each store that is due, so that insights need not count its deliveries each time.
 * Returns the number of stores that were due: one without a past day is due again in an hour. A tallied day whose
 * deliveries have changed comes first. Any number of processes may run this. If one dies, its day stays untallied and
 * readers count its deliveries.
 */
export async function tallyInsightDays(deps: Deps): Promise<number> {
  const stores = await claimStoresToTally(deps.db, STORES_A_SHARE)
  for (const store of stores) {
    try {
      const entry = await deps.accounts.find(store.accountId)
      if (entry) await tallyNextDay(deps, entry, store)
    } catch (error) {
      const { accountId: account, storeId } = store
      deps.log.error({ err: error, account, store: storeId }, 'a store’s insights could not be tallied')
    }
  }
  return stores.length
}

function tallyNextDay(deps: Deps, entry: AccountEntry, store: StoreOfAccount): Promise<void> {
  const { zone } = entry.account
  return withTransaction(
    deps.db,
    async (db) => {
      await lockProgress(db, store)
      const found = await findToTally(db, store, { zone: zone.name, nowMs: entry.nowMs() })
      const changed = finishedDay(zone, found.changedAtMs, found.untilMs)
      const day = changed ?? finishedDay(zone, found.endedAtMs, found.untilMs)
      if (!day) return
      await tallyDay(db, store, day)
      await recordProgress(db, store, { zone: zone.name, toMs: changed ? null : day.toMs })
    },
    { statementMs: DAY_TIMEOUT_MS },
  )
}

/** The local day of an instant, or null if the day does not end by `untilMs`. */
function finishedDay(zone: Zone, atMs: number | null, untilMs: number) {
  if (atMs === null) return null
  const day = localDay(zone, atMs)
  const toMs = atLocal(zone, day + 1, 0)
  return toMs <= untilMs ? { fromMs: atLocal(zone, day, 0), toMs } : null
}
