import type { Issue } from '../../domain/errors.ts'
import { refuse } from '../../domain/refuse.ts'
import { listStoreReferences } from '../../store/accounts/accounts.ts'
import {
  type DeliveryCost,
  type DeliveryCostFilter,
  listDeliveryCosts as listRows,
} from '../../store/insights/delivery-costs.ts'
import { daysMeant, toInstants } from '../deliveries/ended-period.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { cursorIssues, readCursor, toCursor } from '../lists/cursor.ts'
import { storesListed } from '../lists/list-scope.ts'
import { type InsightsRequest, insightsIssues } from './insights.ts'

export type DeliveryCostsRequest = InsightsRequest &
  Pick<DeliveryCostFilter, 'inTotal' | 'limit'> & {
    /** `next` of the previous page. */
    after: string | null
  }

/** When the delivery ended in microseconds, and its id. Sixteen digits reach the year 2286. */
const COST_PLACE = /^\d{1,16} dlv_[0-9a-z]{26}$/

/** One page of what each delivery of a period cost, in the order in which they ended. `next` is null on the last page. */
export async function listDeliveryCosts(
  { db }: Pick<Deps, 'db'>,
  entry: AccountEntry,
  caller: Caller,
  request: DeliveryCostsRequest,
): Promise<{ costs: DeliveryCost[]; storeReferences: ReadonlyMap<string, string>; next: string | null }> {
  const issues = deliveryCostsIssues(entry, caller, request)
  if (issues.length > 0) refuse(issues)
  const { account } = entry
  const [endedUs, deliveryId] = readCursor(request.after, COST_PLACE)?.split(' ') ?? []
  const storeReferences = await listStoreReferences(db, account.id)
  const rows = await listRows(db, account.id, {
    ...toInstants(entry, daysMeant(entry, request)),
    storeIds: storesListed(entry, caller, request.storeReference) ?? [...storeReferences.keys()],
    inTotal: request.inTotal,
    after: endedUs !== undefined && deliveryId !== undefined ? { endedUs, deliveryId } : null,
    limit: request.limit + 1,
  })
  const costs = rows.slice(0, request.limit)
  const last = costs.at(-1)
  const next = rows.length > request.limit && last ? toCursor(`${last.endedUs} ${last.deliveryId}`) : null
  return { costs, storeReferences, next }
}

/** The issues of a request for the costs of deliveries. */
export function deliveryCostsIssues(
  entry: AccountEntry,
  caller: Caller,
  request: InsightsRequest & { after: string | null },
): Issue[] {
  return [...insightsIssues(entry, caller, request), ...cursorIssues(request.after, COST_PLACE)]
}

export type { DeliveryCost }
