import type { Account, Store } from '../../domain/account/account.ts'
import { Refusal } from '../../domain/errors.ts'
import {
  type DriverJobRow,
  findDriverJob,
  type JobName,
  listDriverJobs,
} from '../../store/own-couriers/courier-offers.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import type { Deps } from '../context/deps.ts'
import { hashOfToken } from '../tokens/driver-token.ts'
import type { Driver } from './driver-session.ts'

/** A delivery as its driver sees it, with the account and the store it belongs to. */
export type DriverJob = { row: DriverJobRow; entry: AccountEntry; store: Store }

/** More than anybody drives in a day. */
const MOST_JOBS = 200

/** The driver's open offers and the jobs he has taken, by when they are to be there, and whether there are others. */
export async function driverJobs(
  deps: Deps,
  driver: Driver,
): Promise<{ jobs: DriverJob[]; hasMore: boolean }> {
  const rows = await listDriverJobs(deps.db, driver, MOST_JOBS + 1)
  const jobs = await Promise.all(rows.slice(0, MOST_JOBS).map((row) => jobOf(deps, row)))
  // An offer past its time is the store's again, though no worker has written that down yet.
  return { jobs: jobs.filter((job) => !isOver(job)), hasMore: rows.length > MOST_JOBS }
}

/** One of them by delivery id or by the token of its link. Refuses `not_found`, also for a job of somebody else. */
export async function driverJob(deps: Deps, driver: Driver, idOrToken: string): Promise<DriverJob> {
  const row = await findDriverJob(deps.db, driver, nameOfJob(idOrToken))
  if (!row) throw new Refusal('not_found', 'There is no such job for you (any more).')
  return jobOf(deps, row)
}

export function nameOfJob(idOrToken: string): JobName {
  return idOrToken.startsWith('dlv_') ? { deliveryId: idOrToken } : { tokenHash: hashOfToken(idOrToken) }
}

/** Whether an offer was not answered in time. */
export function isOver({ row, entry }: DriverJob): boolean {
  return row.status === 'requested' && row.expires_at <= entry.nowMs()
}

async function jobOf(deps: Deps, row: DriverJobRow): Promise<DriverJob> {
  const entry = deps.accounts.find(row.account_id)
  if (!entry) throw new Refusal('not_found', 'There is no such job for you (any more).')
  const store = entry.account.storeById.get(row.store_id) ?? storeOf(await versionOf(deps, row), row)
  return { row, entry, store }
}

function versionOf(deps: Deps, row: DriverJobRow): Promise<Account> {
  return deps.accounts.atVersion(row.account_id, row.account_version)
}

function storeOf(account: Account, { store_id }: DriverJobRow): Store {
  const store = account.storeById.get(store_id)
  if (!store) throw new Error(`Account version ${account.version} lacks store ${store_id}.`)
  return store
}
