import type { Issue } from '../../domain/errors.ts'
import { byService, byStore, byWeek, type Tally, toFigures } from '../../domain/insights/figures.ts'
import { refuse } from '../../domain/refuse.ts'
import { listVersionsApplied } from '../../store/accounts/account-versions.ts'
import { listStoreReferences } from '../../store/accounts/accounts.ts'
import { tallyEnded, tallyExclusions, tallyUncounted } from '../../store/insights/insights.ts'
import { type DaysAsked, daysIssues, daysMeant, toInstants, toSpans } from '../deliveries/ended-period.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { storesListed, unknownStoreIssues } from '../lists/list-scope.ts'

export type InsightsRequest = DaysAsked & { storeReference: string | null }

/** Results of the deliveries that ended in a period, and of those in the period of the same length before it. */
export async function insights(deps: Deps, entry: AccountEntry, caller: Caller, request: InsightsRequest) {
  const issues = insightsIssues(entry, caller, request)
  if (issues.length > 0) refuse(issues)
  const { account } = entry
  const { fromDay, toDay } = daysMeant(entry, request)
  const storeReferences = await listStoreReferences(deps.db, account.id)
  const storeIds = storesListed(entry, caller, request.storeReference) ?? [...storeReferences.keys()]
  const period = { storeIds, ...toInstants(entry, { fromDay, toDay }) }
  const days = { storeIds, days: toSpans(entry, { fromDay, toDay }) }
  const sooner = { storeIds, days: toSpans(entry, { fromDay: 2 * fromDay - toDay - 1, toDay: fromDay - 1 }) }
  const [tallies, before, uncounted, exclusions, versions] = await Promise.all([
    tallyEnded(deps.db, account.id, days, account.zone.name),
    tallyEnded(deps.db, account.id, sooner, account.zone.name),
    tallyUncounted(deps.db, account.id, period),
    tallyExclusions(deps.db, account.id, days),
    listVersionsApplied(deps.db, account.id, period),
  ])
  return {
    ...{ fromDay, toDay, ...summed(tallies), before: toFigures(before), ...uncounted, exclusions, versions },
    storeReferences,
  }
}

/** The issues of an insights request. */
export function insightsIssues(entry: AccountEntry, caller: Caller, request: InsightsRequest): Issue[] {
  return [
    ...daysIssues(daysMeant(entry, request)),
    ...unknownStoreIssues(entry, caller, request.storeReference),
  ]
}

function summed(tallies: readonly Tally[]) {
  return {
    total: toFigures(tallies),
    services: byService(tallies),
    weeks: byWeek(tallies),
    stores: byStore(tallies),
  }
}
