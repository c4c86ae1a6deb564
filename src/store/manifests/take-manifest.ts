import { type Db, instant } from '../db/db.ts'
import type { ManifestTarget } from './change-manifest.ts'
import type { ManifestRow } from './manifests.ts'

/**
 * Fencing token: takes a `submitting` manifest that no process works on from the queue, so that a person can record
 * its outcome. A worker with an older fence can neither write nor ask the carrier. Null: a
 * process is working on it, or it has changed.
 */
export async function takeManifest(
  db: Db,
  { accountId, id, fence }: Pick<ManifestRow, 'accountId' | 'id' | 'fence'>,
  leaseMs: number,
): Promise<number | null> {
  const { rows } = await db.query<{ fence: number }>({
    name: 'take-manifest',
    text: `update manifests set fence = fence + 1, lease_until = now() + $4 * interval '1 millisecond'
      where account_id = $1 and manifest_id = $2 and fence = $3 and state = 'submitting' and ${UNLEASED}
      returning fence`,
    values: [accountId, id, fence, leaseMs],
  })
  return rows[0]?.fence ?? null
}

/**
 * Discards a manifest and releases its deliveries, unless the carrier has or may have it. False: it has been
 * sent or submitted meanwhile, or a process is working on it.
 */
export async function discardManifest(
  db: Db,
  { accountId, manifestId, nowMs }: Omit<ManifestTarget, 'fence' | 'state'>,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'discard-manifest',
    text: `with m as (
        update manifests set state = 'discarded', state_reason = null, updated_at = $3, due_at = null,
          lease_until = null, claims = 0, fence = fence + 1
        where account_id = $1 and manifest_id = $2
          and (state in ('draft', 'refused') or (state = 'submitting' and submission_state is null and ${UNLEASED}))
        returning manifest_id),
      locked as (
        select d.delivery_id from deliveries as d
        where d.account_id = $1 and d.manifest_id = $2 and d.delivery_id in (
          select delivery_id from manifest_deliveries
          where account_id = $1 and manifest_id = $2 and held and exists (select from m))
        order by d.delivery_id for update),
      released as (
        update manifest_deliveries as h set held = false from locked
        where h.account_id = $1 and h.manifest_id = $2 and h.delivery_id = locked.delivery_id),
      freed as (
        update deliveries as d set manifest_id = null from locked
        where d.account_id = $1 and d.delivery_id = locked.delivery_id)
      select from m`,
    values: [accountId, manifestId, instant(nowMs)],
  })
  return rowCount === 1
}

const UNLEASED = '(lease_until is null or lease_until < now())'
