import type { Kysely } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { ManifestStatus } from '../../domain/delivery/delivery.ts'
import type { Status } from '../../domain/delivery/status.ts'
import { batched, type PendingCall } from '../db/batching.ts'
import { type Db, instant } from '../db/db.ts'
import { idAt } from '../db/id-times.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from './delivery-rows.ts'
import { type EndedFilter, endedDeliveries } from './ended-deliveries.ts'
import { withText } from './search-deliveries.ts'

const COLUMNS = DELIVERY_COLUMNS.join(', ')

/** The delivery with this id, or null. */
export async function findDelivery(
  db: Db,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRow | null> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'find-delivery',
    text: `select ${COLUMNS} from deliveries where account_id = $1 and delivery_id = $2`,
    values: [accountId, deliveryId],
  })
  return rows[0] ?? null
}

/**
 * The deliveries with these keys that exist, in any order. A key that appears twice is returned twice. For one key
 * it uses `find-delivery`, whose plan PostgreSQL keeps. PostgreSQL plans the statement for several keys at every execution,
 * which takes 0.6 ms on partitioned tables.
 */
export async function findDeliveries(db: Db, keys: readonly DeliveryKey[]): Promise<DeliveryRow[]> {
  const [only] = keys
  if (only && keys.length === 1) {
    const row = await findDelivery(db, only.accountId, only.deliveryId)
    return row ? [row] : []
  }
  const { rows } = await db.query<DeliveryRow>({
    name: 'find-deliveries',
    text: `select ${COLUMNS} from unnest($1::text[], $2::text[]) as k(account_id, delivery_id)
      join deliveries using (account_id, delivery_id)`,
    values: [keys.map(({ accountId }) => accountId), keys.map(({ deliveryId }) => deliveryId)],
  })
  return rows
}

/** The delivery, locked until the transaction ends; null if there is none. */
export async function findDeliveryForUpdate(
  db: PoolClient,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRow | null> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'find-delivery-for-update',
    text: `select ${COLUMNS} from deliveries where account_id = $1 and delivery_id = $2 for update`,
    values: [accountId, deliveryId],
  })
  return rows[0] ?? null
}

/**
 * Deliveries of these stores, or of all, with this merchant reference: at most one per store, so the caller can detect
 * an ambiguous reference. At most 100.
 */
export async function listDeliveriesByReference(
  db: Db,
  accountId: string,
  reference: string,
  storeIds: readonly string[] | null,
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'list-deliveries-by-reference',
    text: `select ${COLUMNS} from deliveries
      where account_id = $1 and reference = $2 and ($3::text[] is null or store_id = any($3))
      order by delivery_id limit 100`,
    values: [accountId, reference, storeIds],
  })
  return rows
}

/** Deliveries by the carrier's numbers, for its tracking updates. */
export async function listDeliveriesByConsignment(
  db: Db,
  accountId: string,
  provider: string,
  consignmentNumbers: readonly string[],
): Promise<{ deliveryId: string; consignmentNumber: string }[]> {
  const { rows } = await db.query<{ deliveryId: string; consignmentNumber: string }>({
    name: 'list-deliveries-by-consignment',
    text: `select delivery_id as "deliveryId", consignment_number as "consignmentNumber" from deliveries
           where account_id = $1 and consignment_number = any($3) and carrier_ref is null and carrier_provider = $2
           union all
           select delivery_id, carrier_ref from deliveries
           where account_id = $1 and carrier_ref = any($3) and carrier_provider = $2`,
    values: [accountId, provider, consignmentNumbers],
  })
  return rows
}

/** Why the carrier was chosen, as recorded at the time. */
export async function findDecision(db: Db, accountId: string, deliveryId: string): Promise<unknown> {
  const { rows } = await db.query<{ decision: unknown }>({
    name: 'find-decision',
    text: 'select decision from deliveries where account_id = $1 and delivery_id = $2',
    values: [accountId, deliveryId],
  })
  return rows[0]?.decision ?? null
}

/** The current rows of the account's deliveries with these ids, without erased ones, in any order. */
export async function findVersions(
  db: Db,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<(DeliveryRow & { rowVersion: string })[]> {
  const { rows } = await db.query<DeliveryRow & { rowVersion: string }>({
    name: 'find-delivery-versions',
    text: `select ${COLUMNS}, xmin::text as "rowVersion" from deliveries
      where account_id = $1 and delivery_id = any($2) and erased_at is null`,
    values: [accountId, deliveryIds],
  })
  return rows
}

export type DeliveryFilter = {
  /** Only these stores; null for all. */
  storeIds: readonly string[] | null
  status: Status | null
  manifestStatus: ManifestStatus | null
  reference: string | null
  createdFromMs: number | null
  createdToMs: number | null
  /**
   * Ids made after this time show when their delivery was created; null: no id does, because account time is not wall
   * time.
   */
  idsTellTimeFromMs: number | null
  /** Open and ready before its end, or ended within it. */
  day: { fromMs: number; toMs: number } | null
  /** Only deliveries that ended in a period, filtered by how they ended; null: all. Their stores are `storeIds`. */
  ended: EndedFilter | null
  /** Free text: reference, consignment or article number, the customer's name or the suburb; see `withText`. */
  text: string | null
  /** Only deliveries older than this id. */
  beforeId: string | null
  limit: number
}

/**
 * An id has the wall clock of the process that made it: the tolerance for clock corrections and for a late refresh of
 * the account.
 */
const SLACK_MS = 86_400_000

/** A row as it was when it was listed: the same `xmin` as long as no transaction has changed it since. */
export type DeliveryVersion = { deliveryId: string; rowVersion: string }

/**
 * Newest first: ids sort by creation time, so the primary key gives the order. If ids show the time, only the requested
 * period of the history is read.
 */
export async function listDeliveries(
  pool: Pool,
  accountId: string,
  filter: DeliveryFilter,
): Promise<DeliveryVersion[]> {
  // Loaded at the first list: it takes 10 MB, and would add 60 ms to every start.
  const { Kysely, PostgresDialect, sql } = await import('kysely')
  const builder = (builders.get(pool) ?? new Kysely({ dialect: new PostgresDialect({ pool }) })) as Builder
  builders.set(pool, builder)
  const { ended } = filter
  let query = (
    ended ? builder.selectFrom(endedDeliveries(sql, accountId, ended)) : builder.selectFrom('deliveries')
  )
    .select([
      'delivery_id as deliveryId',
      (ended ? sql<string>`"rowVersion"` : sql<string>`xmin::text`).as('rowVersion'),
    ])
    .where('account_id', '=', accountId)
    .where('erased_at', 'is', null)
    // The erasure sweep has left no such delivery, so the last page need not read them all.
    .where(
      'delivery_id',
      '>',
      sql<string>`coalesce((select erased_to from retention_sweeps where account_id = ${accountId}), '')`,
    )
    .orderBy('delivery_id', 'desc')
    .limit(filter.limit)
  const { storeIds, createdFromMs, createdToMs, idsTellTimeFromMs } = filter
  // For one store the index order continues; for several it does not.
  if (storeIds?.length === 1) query = query.where('store_id', '=', storeIds[0] as string)
  else if (storeIds) query = query.where('store_id', '=', sql<string>`any(${storeIds})`)
  if (filter.status) query = query.where('status', '=', filter.status)
  if (filter.manifestStatus) query = query.where('manifest_status', '=', filter.manifestStatus)
  if (filter.reference) query = query.where('reference', '=', filter.reference)
  if (createdFromMs !== null) query = query.where('created_at', '>=', sql<number>`${instant(createdFromMs)}`)
  if (createdToMs !== null) {
    query = query.where('created_at', '<', sql<number>`${instant(createdToMs)}`)
    if (idsTellTimeFromMs !== null) {
      const beforeMs = Math.max(createdToMs, idsTellTimeFromMs) + SLACK_MS
      query = query.where('delivery_id', '<', idAt('dlv', beforeMs))
    }
  }
  const { day } = filter
  if (day) {
    query = query.where((where) =>
      where.or([
        where.and([
          sql<boolean>`status not in ('delivered', 'returned', 'cancelled')`,
          where('ready_for_pickup_at', '<', sql<number>`${instant(day.toMs)}`),
        ]),
        where.and([
          sql<boolean>`status in ('delivered', 'returned', 'cancelled')`,
          where('updated_at', '>=', sql<number>`${instant(day.fromMs)}`),
          where('updated_at', '<', sql<number>`${instant(day.toMs)}`),
        ]),
      ]),
    )
  }
  if (filter.beforeId) query = query.where('delivery_id', '<', filter.beforeId)
  if (filter.text) {
    const { beforeId, limit } = filter
    // Another filter may drop some of the deliveries that the search finds.
    const maxFound = hasTextOnly(filter) ? limit : null
    query = query.where('delivery_id', 'in', withText(sql, accountId, filter.text, { beforeId, maxFound }))
  }
  if (createdFromMs === null || idsTellTimeFromMs === null) return query.execute()
  const young = await query.where('delivery_id', '>=', idAt('dlv', createdFromMs - SLACK_MS)).execute()
  if (young.length === filter.limit) return young
  // Deliveries from before ids showed the time may have any creation time; each is read once.
  const old = await query
    .where('delivery_id', '<', idAt('dlv', Math.min(createdFromMs - SLACK_MS, idsTellTimeFromMs + SLACK_MS)))
    .limit(filter.limit - young.length)
    .execute()
  return [...young, ...old]
}

function hasTextOnly({
  text: _text,
  beforeId: _beforeId,
  limit: _limit,
  idsTellTimeFromMs: _,
  ...others
}: DeliveryFilter): boolean {
  return Object.values(others).every((value) => value === null)
}

type Builder = Kysely<{ deliveries: DeliveryRow }>
const builders = new WeakMap<Pool, Builder>()

export type DeliveryKey = { accountId: string; deliveryId: string }

/** Batching (like DataLoader): the current delivery of a key, or null. Concurrent calls share a statement. */
export function batchedFind(db: Pool): (key: DeliveryKey) => Promise<DeliveryRow | null> {
  return batched((together) => find(db, together))
}

async function find(
  db: Pool,
  together: readonly PendingCall<DeliveryKey, DeliveryRow | null>[],
): Promise<void> {
  try {
    const rows = await findDeliveries(
      db,
      together.map(({ given }) => given),
    )
    const found = new Map(rows.map((row) => [nameOf(row.account_id, row.delivery_id), row]))
    for (const { given, resolve } of together) {
      resolve(found.get(nameOf(given.accountId, given.deliveryId)) ?? null)
    }
  } catch (error) {
    for (const { reject } of together) reject(error)
  }
}

function nameOf(accountId: string, deliveryId: string): string {
  return `${accountId}\n${deliveryId}`
}
