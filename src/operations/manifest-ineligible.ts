import type { PoolClient } from 'pg'
import type { Account, Store } from '../domain/account/account.ts'
import { can } from '../domain/delivery/status.ts'
import type { Issue } from '../domain/errors.ts'
import { listNamed, type NamedRow } from '../store/manifest-candidates.ts'

type Reason = Pick<Issue, 'issue' | 'message'>

/** Why each of these references of a store cannot go on the manifest asked for. */
export async function ineligibleReferences(
  db: PoolClient,
  account: Account,
  store: Store,
  references: readonly string[],
): Promise<Map<string, Reason>> {
  const rows = await listNamed(db, account.id, store.id, { references })
  const byReference = new Map(rows.map((row) => [row.reference, row]))
  return new Map(
    references.map((reference): [string, Reason] => {
      const row = byReference.get(reference)
      if (row) return [reference, { issue: 'not_eligible', message: `${reference} ${whyNot(row)}.` }]
      const message = `Store ${store.reference} has no delivery ${reference}.`
      return [reference, { issue: 'unknown_delivery', message }]
    }),
  )
}

/** What stands between a delivery and a manifest, as the end of a sentence that begins with its reference. */
export function whyNot(row: NamedRow): string {
  if (row.manifestId !== null) return `is on manifest ${row.manifestId} already`
  if (row.manifestStatus === 'not_required') return 'needs no manifest: its carrier has none'
  if (row.cancelling) return 'is being cancelled'
  if (!can('manifest', row)) return `is ${row.status}, and only booked deliveries go on a manifest`
  if (!row.consigned) return 'has no consignment number yet'
  return 'is of another manifest group or kind of goods than asked for'
}
