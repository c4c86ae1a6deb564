import { type Db, instant } from '../db/db.ts'
import type { AccountNows } from '../leases/poison-row-quarantine.ts'
import { chosenSql, claimableSql, type QuarantineSlots } from '../leases/poison-row-quarantine.ts'
import { MANIFEST_COLUMNS, type ManifestRow } from './manifests.ts'

/** With the trace of the request that its work goes back to. */
export type DueManifestRow = ManifestRow & { cause: string | null }

/** Claims up to `limit` manifests that are due for `leaseMs` of wall time; of suspects, as many as `suspects` has places for. */
export async function claimDueManifests(
  db: Db,
  { accountIds, nowsMs }: AccountNows,
  limit: number,
  leaseMs: number,
  suspects: QuarantineSlots,
): Promise<DueManifestRow[]> {
  const { rows } = await db.query<DueManifestRow>({
    name: 'claim-due-manifests',
    text: `with due as (
        select d.account_id, d.manifest_id, d.claims
        from unnest($1::text[], $2::timestamptz[]) as a(account_id, now)
        cross join lateral (
          select account_id, manifest_id, claims from manifests
          where account_id = a.account_id and due_at <= a.now and (lease_until is null or lease_until < now())
            and ${claimableSql('$5')}
          order by due_at limit $3 for update skip locked) as d
        limit $3),
      ${chosenSql('account_id, manifest_id', '$5')}
      update manifests as m
      set lease_until = now() + $4 * interval '1 millisecond', fence = fence + 1, claims = claims + 1
      from chosen where m.account_id = chosen.account_id and m.manifest_id = chosen.manifest_id
      returning ${MANIFEST_COLUMNS}, m.cause`,
    values: [accountIds, nowsMs.map(instant), limit, leaseMs, suspects],
  })
  return rows
}

/** Extends the lease of work that takes long. False: it was lost, so stop. */
export async function extendManifestLease(
  db: Db,
  { accountId, id, fence }: Pick<ManifestRow, 'accountId' | 'id' | 'fence'>,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'extend-manifest-lease',
    text: `update manifests set lease_until = now() + $4 * interval '1 millisecond'
      where account_id = $1 and manifest_id = $2 and fence = $3 and lease_until is not null`,
    values: [accountId, id, fence, leaseMs],
  })
  return rowCount === 1
}
