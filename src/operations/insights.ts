import { atLocal, localDay } from '../domain/calendar/zone.ts'
import { Refusal } from '../domain/errors.ts'
import { byService, byStore, byWeek, figuresOf, type Tally } from '../domain/insights/figures.ts'
import { tallyEnded, tallyKeptOut } from '../store/insights.ts'
import type { AccountEntry } from './account-directory.ts'
import { type Caller, mayUseStore } from './caller.ts'
import type { Deps } from './deps.ts'

/** Days of the account's calendar since 1970, both included; null: the 28 days up to today. */
export type InsightsRequest = { fromDay: number | null; toDay: number | null; storeReference: string | null }

const USUAL_DAYS = 28
/** A year and a day, so that a leap year is whole. */
const MOST_DAYS = 367

/** What came of the deliveries that ended in a period, and in the one before it of the same length. */
export async function insights(
  deps: Deps,
  { account, nowMs }: AccountEntry,
  caller: Caller,
  request: InsightsRequest,
) {
  const { zone } = account
  const toDay = request.toDay ?? localDay(zone, nowMs())
  const fromDay = request.fromDay ?? toDay - USUAL_DAYS + 1
  refuseOddPeriod(fromDay, toDay)
  const stores = account.stores.filter(
    (store) =>
      mayUseStore(caller, store) &&
      (request.storeReference === null || store.reference === request.storeReference),
  )
  if (request.storeReference !== null && stores.length === 0) throw noStore(request.storeReference)
  const storeIds = stores.map(({ id }) => id)
  const days = toDay - fromDay + 1
  const period = (first: number) => ({
    storeIds,
    fromMs: atLocal(zone, first, 0),
    toMs: atLocal(zone, first + days, 0),
  })
  const [tallies, before, keptOut] = await Promise.all([
    tallyEnded(deps.db, account.id, period(fromDay), zone.name),
    tallyEnded(deps.db, account.id, period(fromDay - days), zone.name),
    tallyKeptOut(deps.db, account.id, period(fromDay)),
  ])
  return { fromDay, toDay, ...summed(tallies), before: figuresOf(before), keptOut }
}

function summed(tallies: readonly Tally[]) {
  return {
    total: figuresOf(tallies),
    services: byService(tallies),
    weeks: byWeek(tallies),
    stores: byStore(tallies),
  }
}

function refuseOddPeriod(fromDay: number, toDay: number): void {
  if (fromDay <= toDay && toDay - fromDay < MOST_DAYS) return
  const message =
    fromDay > toDay ? 'from must not be after to.' : `A period may have at most ${MOST_DAYS} days.`
  throw new Refusal('invalid_request', message, {
    issues: [{ field: 'from', issue: 'invalid_value', message }],
  })
}

function noStore(reference: string): Refusal {
  const message = `There is no store ${reference}.`
  return new Refusal('invalid_request', message, {
    issues: [{ field: 'store_reference', issue: 'unknown_store', message }],
  })
}
