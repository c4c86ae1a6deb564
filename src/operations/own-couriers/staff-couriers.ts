import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../../domain/account/account.ts'
import { Refusal } from '../../domain/errors.ts'
import { courierIssues } from '../../domain/own-network/courier-issues.ts'
import { toE164 } from '../../domain/phone.ts'
import { courierPhoneIssues } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { findNamedStore } from '../../domain/quoting/resolve/resolve-store.ts'
import { refuse } from '../../domain/refuse.ts'
import type { Db } from '../../store/db/db.ts'
import { isUniqueViolation } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import {
  findStaffCourier,
  freeRemovedPhone,
  insertStaffCourier,
  listStaffCouriers as listRows,
  removeStaffCourier as removeRow,
  type StaffCourierRow,
  updateStaffCourier as updateRow,
} from '../../store/own-couriers/staff-couriers.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, mayUseStore, toResolveContext, visibleStoreIds } from '../directory/caller.ts'
import { carryJobs, releaseJobs } from './release-jobs.ts'

export type { StaffCourierRow as StaffCourier } from '../../store/own-couriers/staff-couriers.ts'

export const COURIERS_A_PAGE = 50

export type StaffCourierInput = {
  storeId: string | null
  storeReference: string | null
  phone: string
  driverName: string
  driverId: string | null
  active: boolean
}

/** Page `page` (from 1) of the couriers of the stores that the caller may see, and their total number. */
export async function listStaffCouriers(
  deps: Deps,
  { account }: AccountEntry,
  caller: Caller,
  page: number,
): Promise<{ couriers: StaffCourierRow[]; total: number }> {
  return listRows(deps.db, account.id, {
    storeIds: visibleStoreIds(account, caller),
    limit: COURIERS_A_PAGE,
    offset: (page - 1) * COURIERS_A_PAGE,
  })
}

/**
 * Adds a courier to a store's list. Refuses `invalid_request`, `not_found` and `duplicate_courier`. `alongside` runs in
 * the same transaction, and its result is returned.
 */
export async function addStaffCourier<T>(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  input: StaffCourierInput,
  alongside: (db: Db, added: StaffCourierRow) => Promise<T>,
): Promise<T> {
  const { account } = entry
  const store = findNamedStore(account, input)
  if (!store || toE164(input.phone) === null) {
    return refuse(courierIssues(account, input, toResolveContext(entry, caller).sight))
  }
  if (!mayUseStore(caller, store))
    throw new Refusal('not_found', `There is no store ${input.storeId ?? input.storeReference}.`)
  const phone = courierPhone(account, 'phone', input.phone)
  const { driverName, driverId, active } = input
  const courier = { courierId: deps.newId('cou'), storeId: store.id, phone, driverName, driverId, active }
  return withTransaction(deps.db, async (db) => {
    const added = await insertStaffCourier(db, account.id, courier)
    if (!added) throw duplicate(store.name)
    return alongside(db, added)
  })
}

/**
 * Changes the given fields. Deactivating a courier logs them out at once and returns their jobs to the store as
 * `releaseJobs` describes; changing the number keeps their jobs. Refuses as above.
 */
export async function changeStaffCourier(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  courierId: string,
  change: Partial<Pick<StaffCourierRow, 'phone' | 'driverName' | 'driverId' | 'active'>>,
  record: WriteAudit,
): Promise<StaffCourierRow> {
  await requireInSight(deps, entry, caller, courierId)
  const phone =
    change.phone === undefined ? {} : { phone: courierPhone(entry.account, 'phone', change.phone) }
  try {
    const changed = await withTransaction(deps.db, async (db) => {
      const before = await findStaffCourier(db, entry.account.id, courierId, { lock: true })
      if (before && phone.phone) await freeRemovedPhone(db, entry.account.id, before.storeId, phone.phone)
      const after = await updateRow(db, entry.account.id, courierId, { ...change, ...phone })
      if (!before || !after) throw noCourier(courierId)
      if (before.active && !after.active) await releaseJobs(deps, db, entry, before)
      else if (after.phone !== before.phone) await carryJobs(deps, db, entry, before, after.phone)
      const isSame = isDeepStrictEqual(before, after)
      await record(db, isSame ? null : { accountId: entry.account.id, object: courierId })
      return after
    })
    deps.wake()
    return changed
  } catch (error) {
    if (isUniqueViolation(error)) throw duplicate('The store')
    throw error
  }
}

/** Removes a courier from the list, logs them out at once and releases their jobs. Refuses `not_found`. */
export async function removeStaffCourier(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  courierId: string,
  record: WriteAudit,
): Promise<void> {
  await requireInSight(deps, entry, caller, courierId)
  await withTransaction(deps.db, async (db) => {
    const before = await findStaffCourier(db, entry.account.id, courierId, { lock: true })
    if (!before || !(await removeRow(db, entry.account.id, courierId))) throw noCourier(courierId)
    await releaseJobs(deps, db, entry, before)
    await record(db, { accountId: entry.account.id, object: courierId })
  })
  deps.wake()
}

/** The E.164 form of a number that gets jobs by SMS. Refuses `invalid_request`. */
export function courierPhone(account: Account, field: string, phone: string): string {
  const issues = courierPhoneIssues(account, field, phone)
  return (issues.length === 0 && toE164(phone)) || refuse(issues)
}

async function requireInSight(
  deps: Deps,
  { account }: AccountEntry,
  caller: Caller,
  courierId: string,
): Promise<void> {
  const visible = visibleStoreIds(account, caller)
  const courier = await findStaffCourier(deps.db, account.id, courierId)
  if (!courier || (visible && !visible.includes(courier.storeId))) throw noCourier(courierId)
}

function noCourier(courierId: string): Refusal {
  return new Refusal('not_found', `There is no staff courier ${courierId}.`)
}

function duplicate(who: string): Refusal {
  return new Refusal('duplicate_courier', `${who} already has a courier with this phone.`)
}
