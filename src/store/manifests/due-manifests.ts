import type { Db } from '../db/db.ts'
import { makeClaimer } from '../leases/claim-due.ts'
import { MANIFEST_COLUMNS, type ManifestRow } from './manifests.ts'

/** With the trace of the request that its work goes back to. */
export type DueManifestRow = ManifestRow & { traceparent: string | null }

/** Claims due manifests. */
export const claimDueManifests = makeClaimer<DueManifestRow>({
  name: 'claim-due-manifests',
  table: 'manifests',
  as: 'm',
  key: ['manifest_id'],
  columns: `${MANIFEST_COLUMNS}, m.traceparent`,
})

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
