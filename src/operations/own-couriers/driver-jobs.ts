import type { Account, Store } from '../../domain/account/account.ts'
import { Refusal } from '../../domain/errors.ts'
import {
  type DriverJobRow,
  findDriverJob,
  type JobName,
  listDriverJobs,
} from '../../store/own-couriers/courier-offers.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { hashOfToken } from '../tokens/driver-token.ts'
import type { Driver } from './driver-session.ts'

/** A delivery as its driver sees it, with its account and store. */
export type DriverJob = { row: DriverJobRow; entry: AccountEntry; store: Store }

/** More than a driver can do in a day. */
const MAX_JOBS = 200

/** The driver's open offers and accepted jobs by their delivery time, and whether there are more. */
export async function driverJobs(
  deps: Deps,
  driver: Driver,
): Promise<{ jobs: DriverJob[]; hasMore: boolean }> {
  const rows = await listDriverJobs(deps.db, driver, MAX_JOBS + 1)
  const jobs = await Promise.all(rows.slice(0, MAX_JOBS).map((row) => toJob(deps, row)))
  // An expired offer belongs to the store again, even before a worker has recorded that.
  return { jobs: jobs.filter((job) => !isOver(job)), hasMore: rows.length > MAX_JOBS }
}

/** One of them by delivery id or by the token of its link. Refuses `not_found`, also for another driver's job. */
export async function driverJob(deps: Deps, driver: Driver, idOrToken: string): Promise<DriverJob> {
  const row = await findDriverJob(deps.db, driver, nameOfJob(idOrToken))
  if (!row) throw new Refusal('not_found', 'This job isn’t yours, or no longer is.')
  return toJob(deps, row)
}

export function nameOfJob(idOrToken: string): JobName {
  return idOrToken.startsWith('dlv_') ? { deliveryId: idOrToken } : { tokenHash: hashOfToken(idOrToken) }
}

/** Whether an offer has expired without an answer. */
export function isOver({ row, entry }: DriverJob): boolean {
  return row.status === 'requested' && row.expires_at <= entry.nowMs()
}

async function toJob(deps: Deps, row: DriverJobRow): Promise<DriverJob> {
  const entry = await deps.accounts.find(row.account_id)
  if (!entry) throw new Refusal('not_found', 'This job isn’t yours, or no longer is.')
  const store = entry.account.storeById.get(row.store_id) ?? getStore(await getAccountVersion(deps, row), row)
  return { row, entry, store }
}

function getAccountVersion(deps: Deps, row: DriverJobRow): Promise<Account> {
  return deps.accounts.atVersion(row.account_id, row.account_version)
}

function getStore(account: Account, { store_id }: DriverJobRow): Store {
  const store = account.storeById.get(store_id)
  if (!store) throw new Error(`Account version ${account.version} lacks store ${store_id}.`)
  return store
}
