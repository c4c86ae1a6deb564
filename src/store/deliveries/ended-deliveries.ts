import { NOBODY, type Timeliness } from '../../domain/insights/figures.ts'
import { instant } from '../db/db.ts'
import type { Period } from '../insights/insights.ts'
import type { DeliveryRow } from './delivery-rows.ts'

/** Deliveries that insights count: delivered or returned in a period, with the other filters. */
export type EndedFilter = Period & {
  timeliness: Timeliness | null
  /** `NOBODY`: the store's own couriers. */
  provider: string | null
  service: string | null
}

type Sql = typeof import('kysely').sql

/**
 * A subquery for their rows, in place of the table. It reads by end time, whatever the other filters and the order:
 * `offset 0` keeps the planner from scanning the history for a few late deliveries.
 */
export function endedDeliveries(
  sql: Sql,
  accountId: string,
  { storeIds, fromMs, toMs, timeliness, provider, service }: EndedFilter,
) {
  const all = sql`true`
  const carrier =
    provider === NOBODY ? sql`chosen->>'provider' is null` : sql`chosen->>'provider' = ${provider}`
  return sql<DeliveryRow & { rowVersion: string }>`(
    select *, xmin::text as "rowVersion" from deliveries
    where account_id = ${accountId} and store_id = any(${storeIds}) and status in ('delivered', 'returned')
      and updated_at >= ${instant(fromMs)} and updated_at < ${instant(toMs)}
      and ${timeliness === null ? all : sql`status = 'delivered' and ${CAME_WHEN[timeliness](sql)}`}
      and ${provider === null ? all : carrier}
      and ${service === null ? all : sql`chosen->>'service' = ${service}`}
    offset 0)`.as('deliveries')
}

/** The same distinction as in `tallyEnded`. */
const CAME_WHEN: Readonly<Record<Timeliness, (sql: Sql) => ReturnType<Sql>>> = {
  early: (sql) => sql`coalesce(carrier_event_at, updated_at) < window_from`,
  on_time: (sql) => sql`coalesce(carrier_event_at, updated_at) between window_from and window_to`,
  late: (sql) => sql`coalesce(carrier_event_at, updated_at) > window_to`,
}
