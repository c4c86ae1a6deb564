import type { PoolClient } from 'pg'
import { currentTraceparent } from '../../observability/tracing/current.ts'
import { instant } from '../db/db.ts'
import { MANIFEST_COLUMNS, type ManifestRow } from './manifests.ts'

/** A manifest about to exist, with what must be written in the same breath. */
export type NewManifest = {
  id: string
  provider: string
  carrierName: string
  group: string
  dangerousGoods: boolean
  members: readonly { deliveryId: string; units: number }[]
  eventId: string
}

export type ManifestMaking = {
  accountId: string
  storeId: string
  accountVersion: number
  wantsSummary: boolean
  nowMs: number
  /** Held and leased to the maker, who submits them at once; null leaves drafts, which hold nothing. */
  submitLeaseMs: number | null
  request: { key: string; fingerprint: Buffer } | null
  manifests: readonly NewManifest[]
}

/** Inserts manifests of locked deliveries, and their events. */
export async function makeManifests(db: PoolClient, making: ManifestMaking): Promise<ManifestRow[]> {
  const { manifests, submitLeaseMs } = making
  const members = manifests.flatMap(({ id, members }) => members.map((member) => ({ ...member, id })))
  const { rows } = await db.query<ManifestRow>({
    name: 'make-manifests',
    text: MAKE,
    values: [
      making.accountId,
      making.storeId,
      making.accountVersion,
      making.wantsSummary,
      instant(making.nowMs),
      submitLeaseMs,
      making.request?.key ?? null,
      making.request?.fingerprint ?? null,
      manifests.map(({ id }) => id),
      manifests.map(({ provider }) => provider),
      manifests.map(({ carrierName }) => carrierName),
      manifests.map(({ group }) => group),
      manifests.map(({ dangerousGoods }) => dangerousGoods),
      manifests.map(({ eventId }) => eventId),
      members.map(({ id }) => id),
      members.map(({ deliveryId }) => deliveryId),
      members.map(({ units }) => units),
      currentTraceparent(),
    ],
  })
  return rows
}

const MAKE = `
with given as (
  select * from unnest($9::text[], $10::text[], $11::text[], $12::text[], $13::boolean[], $14::text[])
    as given(manifest_id, provider, carrier_name, manifest_group, dangerous_goods, event_id)
), member as (
  select * from unnest($15::text[], $16::text[], $17::int[]) as member(manifest_id, delivery_id, units)
), sums as (
  select manifest_id, count(*)::int as deliveries, sum(units)::int as items from member group by manifest_id
), m as (
  insert into manifests (account_id, manifest_id, store_id, provider, carrier_name, manifest_group, dangerous_goods,
    state, wants_summary, deliveries, items, account_version, request_key, request_fingerprint, created_at, updated_at,
    due_at, lease_until, fence, claims, traceparent)
  select $1, manifest_id, $2, provider, carrier_name, manifest_group, dangerous_goods,
    case when $6::int is null then 'draft' else 'submitting' end, $4, deliveries, items, $3, $7, $8, $5, $5,
    case when $6 is not null then $5::timestamptz end, now() + $6 * interval '1 millisecond',
    case when $6 is null then 0 else 1 end, case when $6 is null then 0 else 1 end, $18
  from given join sums using (manifest_id)
  returning *
), placed as (
  insert into manifest_deliveries (account_id, manifest_id, delivery_id, units, held)
  select $1, manifest_id, delivery_id, units, $6 is not null from member
), held as (
  update deliveries as d set manifest_id = member.manifest_id from member
  where $6 is not null and d.account_id = $1 and d.delivery_id = member.delivery_id
), recorded_events as (
  insert into events (account_id, stream, event_id, type, at, source, traceparent, data)
  select $1, '', given.event_id, 'manifest.created', $5, 'api', $18, json_build_object(
    'manifest_id', m.manifest_id, 'manifest_group', m.manifest_group, 'store_id', m.store_id,
    'contains_dangerous_goods', m.dangerous_goods, 'deliveries', m.deliveries, 'number_of_items', m.items)
  from m join given using (manifest_id) order by m.manifest_id
)
select ${MANIFEST_COLUMNS} from m order by m.manifest_id`

/**
 * Holds the locked deliveries of a draft or refused manifest, counts them as they are now, and leases it to the process
 * that submits it. A delivery that had left the manifest and is booked with this carrier again goes as booked now.
 */
export async function holdForSubmit(
  db: PoolClient,
  { accountId, id }: Pick<ManifestRow, 'accountId' | 'id'>,
  members: readonly { deliveryId: string; units: number; dangerousGoods: boolean }[],
  { nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<ManifestRow> {
  await db.query({
    name: 'hold-members',
    text: `with placed as (
        update manifest_deliveries as m set held = true, consigned_snapshot = null, units = member.units
        from unnest($3::text[], $4::int[]) as member(delivery_id, units)
        where m.account_id = $1 and m.manifest_id = $2 and m.delivery_id = member.delivery_id
        returning m.delivery_id)
      update deliveries as d set manifest_id = $2 from placed
      where d.account_id = $1 and d.delivery_id = placed.delivery_id`,
    values: [accountId, id, members.map(({ deliveryId }) => deliveryId), members.map(({ units }) => units)],
  })
  const items = members.reduce((sum, { units }) => sum + units, 0)
  const dangerous = members.some(({ dangerousGoods }) => dangerousGoods)
  const { rows } = await db.query<ManifestRow>({
    name: 'hold-manifest',
    text: `with m as (
        update manifests set state = 'submitting', state_reason = null, submission_state = null, attempts = 0,
          updated_at = $3, due_at = $3, lease_until = now() + $4 * interval '1 millisecond', fence = fence + 1, claims = 1,
          traceparent = $5, items = $6, dangerous_goods = $7
        where account_id = $1 and manifest_id = $2
        returning *)
      select ${MANIFEST_COLUMNS} from m`,
    values: [accountId, id, instant(nowMs), leaseMs, currentTraceparent(), items, dangerous],
  })
  return rows[0] as ManifestRow
}
