import type { Article } from '../../domain/delivery/delivery.ts'
import type { Manifest, ManifestDelivery } from '../../domain/manifests/manifest.ts'
import { type Db, instant } from '../db/db.ts'

/** A manifest with what its workers need to know. */
export type ManifestRow = Manifest & {
  /** How long, from the moment of reading, a look-up may still miss an order that was made. */
  settleInMs: number
  /** The carrier's undocumented refusal of the last submit; final once a look-up finds no order. */
  unclearRefusal: string | null
  attempts: number
  fence: number
  claims: number
}

/** ManifestRow out of `manifests as m`. */
export const MANIFEST_COLUMNS = `m.account_id as "accountId", m.manifest_id as id, m.store_id as "storeId", m.provider,
  m.carrier_name as "carrierName", m.manifest_group as "group", m.dangerous_goods as "dangerousGoods", m.state,
  m.state_reason as "stateReason", m.wants_summary as "wantsSummary", m.deliveries, m.items,
  m.account_version as "accountVersion", m.order_id as "orderId", m.cost_cents as "costCents",
  m.created_at as "createdAtMs", m.updated_at as "updatedAtMs", m.submitted_at as "submittedAtMs", m.submission_state as "submissionState",
  coalesce(m.lease_until > now(), false) as "isLeased",
  greatest(0, coalesce(extract(epoch from m.settle_until - now()), 0) * 1000)::float8 as "settleInMs",
  m.unclear_refusal as "unclearRefusal", m.attempts, m.fence, m.claims`

/** The manifest with this id, or null; `lock` keeps it from others until the transaction ends. */
export async function findManifest(
  db: Db,
  accountId: string,
  manifestId: string,
  { lock = false } = {},
): Promise<ManifestRow | null> {
  const { rows } = await db.query<ManifestRow>({
    name: lock ? 'find-manifest-for-update' : 'find-manifest',
    text: `select ${MANIFEST_COLUMNS} from manifests as m where account_id = $1 and manifest_id = $2
      ${lock ? 'for update' : ''}`,
    values: [accountId, manifestId],
  })
  return rows[0] ?? null
}

/** Newest first; of these stores only, or all. */
export async function listManifests(
  db: Db,
  accountId: string,
  {
    storeIds,
    beforeId,
    limit,
  }: { storeIds: readonly string[] | null; beforeId: string | null; limit: number },
): Promise<ManifestRow[]> {
  const { rows } = await db.query<ManifestRow>({
    name: 'list-manifests',
    text: `select ${MANIFEST_COLUMNS} from manifests as m
      where account_id = $1 and ($2::text[] is null or store_id = any($2)) and ($3::text is null or manifest_id < $3)
      order by manifest_id desc limit $4`,
    values: [accountId, storeIds, beforeId, limit],
  })
  return rows
}

/** What an earlier run of the same request made, oldest first. Keys are good for 72 hours. */
export async function listManifestsOfRequest(
  db: Db,
  accountId: string,
  { key, fingerprint, sinceMs }: { key: string; fingerprint: Buffer; sinceMs: number },
): Promise<ManifestRow[]> {
  const { rows } = await db.query<ManifestRow>({
    name: 'list-manifests-of-request',
    text: `select ${MANIFEST_COLUMNS} from manifests as m
      where account_id = $1 and request_key = $2 and request_fingerprint = $3 and created_at > $4
      order by manifest_id`,
    values: [accountId, key, fingerprint, instant(sinceMs)],
  })
  return rows
}

/** As it is booked, or was when it left `manifest_deliveries as m`: of what came later its carrier knows nothing. */
export const CONSIGNED_SNAPSHOT = `case when m.consigned_snapshot is null then coalesce(d.consignment_number, '')
    else m.consigned_snapshot->>'consignmentNumber' end as "consignmentNumber",
  case when m.consigned_snapshot is null then d.carrier_ref else m.consigned_snapshot->>'carrierRef' end as "carrierRef",
  coalesce(m.consigned_snapshot->'articles', d.articles) as articles`

/** The deliveries of manifests, in the order they were made. */
export async function listManifestDeliveries(
  db: Db,
  accountId: string,
  manifestIds: readonly string[],
): Promise<ManifestDelivery[]> {
  const { rows } = await db.query<
    Omit<ManifestDelivery, 'articleIds' | 'notEligible'> & { articles: Article[] }
  >({
    name: 'list-manifest-deliveries',
    text: `select m.manifest_id as "manifestId", m.delivery_id as "deliveryId", d.reference, m.units,
        m.consigned_snapshot is not null as "movedToAnotherCarrier", ${CONSIGNED_SNAPSHOT}
      from manifest_deliveries as m join deliveries as d using (account_id, delivery_id)
      where m.account_id = $1 and m.manifest_id = any($2) order by m.manifest_id, m.delivery_id`,
    values: [accountId, manifestIds],
  })
  return rows.map(({ articles, ...row }) => ({
    ...row,
    notEligible: null,
    articleIds: articles.flatMap(({ articleIds }) => articleIds),
  }))
}
