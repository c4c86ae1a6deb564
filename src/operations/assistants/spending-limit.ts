import type { Pool } from 'pg'
import { atLocal, formatDate, formatLocal, localDay } from '../../domain/calendar/zone.ts'
import { Refusal } from '../../domain/errors.ts'
import { formatDollars } from '../../domain/text/format-dollars.ts'
import { withTransaction } from '../../store/db/pool.ts'
import {
  deleteMcpCommit,
  insertMcpCommit,
  listSpentOn,
  lockSpending,
  type SpentOn,
  settleMcpCommit,
} from '../../store/people/mcp-commits.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'

type SpendingDeps = { db: Pool }

/** What a client has spent on the account's day; `limitCents` null: no limit. */
export type Spending = { limitCents: number | null; spentCents: number; resetsAt: string }

/** What one commit costs, and the delivery that it is for; null: a new delivery, or a price that is not known. */
export type Cost = { cents: number | null; deliveryId: string | null }

/** One limit for each API client, and for each assistant with all people who have connected it. */
function toSpender({ clientId, assistant }: Caller): string {
  return assistant?.assistantId ?? clientId
}

/** What the caller has spent today. Refuses `spending_limit_reached` if the cost would exceed the limit. */
export async function checkSpending(
  { db }: SpendingDeps,
  entry: AccountEntry,
  caller: Caller,
  cost: Cost,
): Promise<Spending> {
  return refuseOver(entry, await listSpentOn(db, toDay(entry, toSpender(caller))), cost)
}

/**
 * Runs a commit that costs something, if the limit allows it. The cost counts before the change, under the account's
 * lock, so that commits at the same time cannot exceed the limit together. A repeat of the same confirmation counts
 * once. A commit that was refused does not count. One that ended without an answer counts until the day is over.
 */
export async function spendWithinLimit<T>(
  { db }: SpendingDeps,
  { entry, caller, key, cost }: { entry: AccountEntry; caller: Caller; key: string; cost: Cost },
  work: () => Promise<T>,
  results: { toDeliveryId(answer: T): string; hasChangedNothing(refusal: Refusal): boolean },
): Promise<T> {
  const { accountId, day, clientId } = toDay(entry, toSpender(caller))
  const { cents, deliveryId } = cost
  const commit = { accountId, day, clientId, commitKey: key, deliveryId, cents: cents ?? 0 }
  await withTransaction(db, async (client) => {
    await lockSpending(client, accountId)
    const spent = await listSpentOn(client, commit)
    if (await insertMcpCommit(client, commit)) refuseOver(entry, spent, cost)
  })
  try {
    const answer = await work()
    await settleMcpCommit(db, { ...commit, deliveryId: results.toDeliveryId(answer) })
    return answer
  } catch (error) {
    if (error instanceof Refusal && results.hasChangedNothing(error))
      await deleteMcpCommit(db, accountId, key)
    throw error
  }
}

/** The cents that each client of the account has spent today, by its id; clients that spent nothing have no entry. */
export async function listSpentToday(
  { db }: SpendingDeps,
  entry: AccountEntry,
): Promise<Map<string, number>> {
  const byClient = Map.groupBy(await listSpentOn(db, toDay(entry, null)), ({ clientId }) => clientId)
  return new Map([...byClient].map(([clientId, spent]) => [clientId, sum(spent)]))
}

function refuseOver(entry: AccountEntry, spent: readonly SpentOn[], { cents, deliveryId }: Cost): Spending {
  const spending = toSpending(entry, sum(spent))
  const { limitCents, spentCents, resetsAt } = spending
  // A price that replaces the delivery's earlier one counts only for the difference.
  const earlier = sum(spent.filter((one) => deliveryId !== null && one.deliveryId === deliveryId))
  const more = cents === null ? Number.POSITIVE_INFINITY : Math.max(0, cents - earlier)
  if (limitCents === null || spentCents + more <= limitCents) return spending
  const limit = `${formatDollars(limitCents)} a day`
  const message =
    cents === null
      ? `The price of this change is not known before the booking, so Drover cannot check it against the client’s limit of ${limit}. Make the change in the portal, or ask an admin to remove the limit.`
      : `This change costs ${formatDollars(cents)}. The client may spend ${limit} and has already spent ${formatDollars(spentCents)} today. The limit resets at ${resetsAt}.`
  throw new Refusal('spending_limit_reached', message, {
    details: { limit_cents: limitCents, spent_cents: spentCents, resets_at: resetsAt },
  })
}

function toDay<C extends string | null>({ account, nowMs }: AccountEntry, clientId: C) {
  return { accountId: account.id, day: formatDate(localDay(account.zone, nowMs())), clientId }
}

function toSpending({ account, nowMs }: AccountEntry, spentCents: number): Spending {
  const midnightMs = atLocal(account.zone, localDay(account.zone, nowMs()) + 1, 0)
  return {
    limitCents: account.assistants.spendingLimitCentsPerDay,
    spentCents,
    resetsAt: formatLocal(account.zone, midnightMs),
  }
}

function sum(spent: readonly SpentOn[]): number {
  return spent.reduce((total, { cents }) => total + cents, 0)
}
