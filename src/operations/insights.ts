import { atLocal, localDay } from '../domain/calendar/zone.ts'
import type { Issue } from '../domain/errors.ts'
import { byService, byStore, byWeek, figuresOf, type Tally } from '../domain/insights/figures.ts'
import { tallyEnded, tallyKeptOut } from '../store/insights.ts'
import type { AccountEntry } from './account-directory.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { storesListed, unknownStoreIssues } from './list-scope.ts'
import { refuse } from './resolve-delivery.ts'

/** Days of the account's calendar since 1970, both included; null: the 28 days up to today. */
export type InsightsRequest = { fromDay: number | null; toDay: number | null; storeReference: string | null }

const USUAL_DAYS = 28
/** A year and a day, so that a leap year is whole. */
const MOST_DAYS = 367

/** What came of the deliveries that ended in a period, and in the one before it of the same length. */
export async function insights(deps: Deps, entry: AccountEntry, caller: Caller, request: InsightsRequest) {
  const issues = insightsIssues(entry, caller, request)
  if (issues.length > 0) refuse(issues)
  const { account } = entry
  const { zone } = account
  const { fromDay, toDay } = periodOf(entry, request)
  const storeIds = storesListed(entry, caller, request.storeReference) ?? account.stores.map(({ id }) => id)
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

/** What no figures can be had of. */
export function insightsIssues(entry: AccountEntry, caller: Caller, request: InsightsRequest): Issue[] {
  return [
    ...periodIssues(periodOf(entry, request)),
    ...unknownStoreIssues(entry, caller, request.storeReference),
  ]
}

function summed(tallies: readonly Tally[]) {
  return {
    total: figuresOf(tallies),
    services: byService(tallies),
    weeks: byWeek(tallies),
    stores: byStore(tallies),
  }
}

function periodOf({ account, nowMs }: AccountEntry, request: InsightsRequest) {
  const toDay = request.toDay ?? localDay(account.zone, nowMs())
  return { fromDay: request.fromDay ?? toDay - USUAL_DAYS + 1, toDay }
}

function periodIssues({ fromDay, toDay }: { fromDay: number; toDay: number }): Issue[] {
  if (fromDay <= toDay && toDay - fromDay < MOST_DAYS) return []
  const message =
    fromDay > toDay ? 'from must not be after to.' : `A period may have at most ${MOST_DAYS} days.`
  return [{ field: 'from', issue: 'invalid_value', message }]
}
