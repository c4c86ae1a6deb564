import type { Db } from '../../store/db/db.ts'
import { type DueAccounts, type DueQueue, findDueAccounts } from '../../store/leases/find-due-accounts.ts'
import type { AccountDirectory } from '../directory/account-directory.ts'

const NOBODY: ReadonlySet<string> = new Set()

/**
 * The accounts that have something due in a queue. All queues that ask in one tick of the event loop share one
 * statement, so a worker without work asks the database once a poll and not once a queue. A statement that has begun
 * answers nobody else: a row that was written since would be missed.
 */
export function makeDueAccounts({
  db,
  accounts,
}: {
  db: Db
  accounts: Pick<AccountDirectory, 'list' | 'nowMs'>
}): (queue: DueQueue) => Promise<ReadonlySet<string>> {
  let next: Promise<DueAccounts> | null = null
  const find = async (): Promise<DueAccounts> => {
    await new Promise(setImmediate)
    next = null
    const shifted = accounts.list().filter(({ clockOffsetMs }) => clockOffsetMs !== 0)
    return findDueAccounts(db, {
      nowMs: Date.now(),
      shifted: {
        accountIds: shifted.map(({ accountId }) => accountId),
        nowsMs: shifted.map(({ accountId }) => accounts.nowMs(accountId)),
      },
    })
  }
  return async (queue) => {
    next ??= find()
    return (await next).get(queue) ?? NOBODY
  }
}
