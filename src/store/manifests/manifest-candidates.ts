import type { PoolClient } from 'pg'
import type { ManifestStatus } from '../../domain/delivery/delivery.ts'
import type { Status } from '../../domain/delivery/status.ts'
import { type Db, instant } from '../db/db.ts'

/** A delivery that may go on a manifest now. */
export type CandidateRow = {
  deliveryId: string
  reference: string
  provider: string
  service: string
  carrierName: string
  manifestGroup: string
  dangerousGoods: boolean
  units: number
}

/** Which of a store's deliveries are meant: all, or those with these references or ids. */
export type Meant = { all: true } | { references: readonly string[] } | { deliveryIds: readonly string[] }

const NAMED = { all: 'true', references: 'd.reference = any($4)', deliveryIds: 'd.delivery_id = any($4)' }

/**
 * The store's deliveries that may go on a manifest, locked until the transaction ends, so that of two clerks
 * one waits for the other and then sees what is left. Always locked in the order of their ids.
 */
export async function lockCandidates(
  db: PoolClient,
  accountId: string,
  storeId: string,
  statuses: readonly Status[],
  meant: Meant,
): Promise<CandidateRow[]> {
  const [kind, names] = Object.entries(meant)[0] as [keyof typeof NAMED, readonly string[] | true]
  const { rows } = await db.query<CandidateRow>({
    name: `lock-candidates-${kind}`,
    text: `select d.delivery_id as "deliveryId", d.reference, d.chosen->>'provider' as provider,
        d.chosen->>'service' as service, d.chosen->>'carrierName' as "carrierName",
        d.chosen->>'manifestGroup' as "manifestGroup", parcels.dangerous as "dangerousGoods", parcels.units
      from deliveries as d
      cross join lateral (
        select sum((p->>'quantity')::int)::int as units, bool_or(p->>'containsDangerousGoods' = 'true') as dangerous
        from json_array_elements(d.content->'parcels') as p) as parcels
      where d.account_id = $1 and d.store_id = $2 and d.manifest_id is null and d.consignment_number is not null
        and d.manifest_status in ('pending', 'ready') and d.status = any($3)
        -- As its index says.
        and d.status in ('booked', 'assigned', 'approaching', 'collected')
        -- Once it is collected, a cancellation that was asked for is void.
        and (d.cancel_requested_at is null or d.status = 'collected')
        and ${NAMED[kind]}
      order by d.delivery_id for update of d`,
    values: [accountId, storeId, statuses, ...(names === true ? [] : [names])],
  })
  return rows
}

/** Marks locked deliveries as ready for their manifest. `nowMs` is account time. */
export async function markReady(
  db: PoolClient,
  accountId: string,
  deliveryIds: readonly string[],
  nowMs: number,
): Promise<void> {
  await db.query({
    name: 'mark-ready',
    text: `update deliveries set manifest_status = 'ready', updated_at = $3
      where account_id = $1 and delivery_id = any($2) and manifest_status = 'pending'`,
    values: [accountId, deliveryIds, instant(nowMs)],
  })
}

/** What stands between a named delivery of the store and a manifest. */
export type NamedRow = {
  deliveryId: string
  reference: string
  status: Status
  manifestStatus: ManifestStatus
  manifestId: string | null
  consigned: boolean
  cancelling: boolean
}

/** A delivery on a draft or refused manifest, as it is now. */
export type MemberRow = NamedRow &
  Pick<CandidateRow, 'provider' | 'service' | 'manifestGroup' | 'dangerousGoods'> & { onManifest: string }

/** The deliveries of these manifests as they are now, for asking whether each may still be submitted with its manifest. */
export async function listMembersNow(
  db: Db,
  accountId: string,
  manifestIds: readonly string[],
): Promise<MemberRow[]> {
  const { rows } = await db.query<MemberRow>({
    name: 'list-members-now',
    text: `select m.manifest_id as "onManifest", ${NAMED_COLUMNS}, d.chosen->>'provider' as provider,
        d.chosen->>'service' as service, d.chosen->>'manifestGroup' as "manifestGroup",
        (select bool_or(p->>'containsDangerousGoods' = 'true')
          from json_array_elements(d.content->'parcels') as p) as "dangerousGoods"
      from manifest_deliveries as m join deliveries as d using (account_id, delivery_id)
      where m.account_id = $1 and m.manifest_id = any($2)`,
    values: [accountId, manifestIds],
  })
  return rows
}

const NAMED_COLUMNS = `d.delivery_id as "deliveryId", d.reference, d.status, d.manifest_status as "manifestStatus",
  d.manifest_id as "manifestId", d.consignment_number is not null as consigned,
  d.cancel_requested_at is not null and d.status <> 'collected' as cancelling`

export async function listNamed(
  db: Db,
  accountId: string,
  storeId: string,
  meant: Exclude<Meant, { all: true }>,
): Promise<NamedRow[]> {
  const [kind, names] = Object.entries(meant)[0] as [keyof typeof NAMED, readonly string[]]
  const { rows } = await db.query<NamedRow>({
    name: `list-named-${kind}`,
    text: `select ${NAMED_COLUMNS}
      from deliveries as d
      where d.account_id = $1 and d.store_id = $2 and $3::boolean and ${NAMED[kind]}`,
    values: [accountId, storeId, true, names],
  })
  return rows
}
