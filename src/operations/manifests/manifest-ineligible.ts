import type { PoolClient } from 'pg'
import type { Account, Store } from '../../domain/account/account.ts'
import { type WhyNot, whyNot } from '../../domain/delivery/actions/why-not.ts'
import type { Issue } from '../../domain/errors.ts'
import { isOfGoods } from '../../domain/manifests/group.ts'
import type { Manifest } from '../../domain/manifests/manifest.ts'
import {
  type CandidateRow,
  listNamed,
  type MemberRow,
  type NamedRow,
} from '../../store/manifests/manifest-candidates.ts'

export type Reason = Pick<Issue, 'issue' | 'message'> & { manifestId: string | null }

/** Why each of these references of a store can't go on the requested manifest. */
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
      if (!row) {
        const message = `Store ${store.reference} has no delivery ${reference}.`
        return [reference, { issue: 'unknown_delivery', message, manifestId: null }]
      }
      const message = `${reference} ${whyNotManifested(row)}.`
      return [reference, { issue: 'not_eligible', message, manifestId: row.manifestId }]
    }),
  )
}

/**
 * The references that are on a manifest already, by manifest, for an API client that skips them; null if
 * there are no such references.
 */
export function onManifests(why: ReadonlyMap<string, Reason>) {
  const held = Map.groupBy(why, ([, { manifestId }]) => manifestId)
  held.delete(null)
  if (held.size === 0) return null
  return [...held].map(([manifestId, rows]) => ({
    manifest_id: manifestId,
    delivery_references: rows.map(([reference]) => reference),
  }))
}

/** Why a delivery can no longer be submitted with its draft or refused manifest; null: it can. */
export function whyMemberGone(account: Account, manifest: Manifest, row: MemberRow): string | null {
  const why = findReason(row)
  const isOfManifest = row.provider === manifest.provider && row.manifestGroup === manifest.group
  if (
    why === null &&
    isOfManifest &&
    isOfGoods({ ...row, apart: needsSeparateManifest(account, row) }, manifest)
  )
    return null
  return whyNotManifested(row)
}

/**
 * If the service is no longer in the account, dangerous goods go on separate manifests, which every carrier accepts.
 */
export function needsSeparateManifest(
  account: Account,
  { provider, service }: Pick<CandidateRow, 'provider' | 'service'>,
): boolean {
  const services = account.carrierByProvider.get(provider)?.services ?? []
  return services.find((one) => one.service === service)?.dangerousGoodsManifestedApart ?? true
}

/** Why a delivery can't go on a manifest, as the end of a sentence that begins with its reference. */
export function whyNotManifested(row: NamedRow): string {
  const why = findReason(row)
  const words: Readonly<Partial<Record<WhyNot, string>>> = {
    on_manifest: `is on manifest ${row.manifestId} already`,
    manifested: 'is on a manifest already',
    needs_no_manifest: 'needs no manifest: its carrier has none',
    cancelling: 'is being cancelled',
    wrong_status: `is ${row.status}, and only booked deliveries go on a manifest`,
    not_consigned: 'has no consignment number yet',
  }
  return (why && words[why]) ?? 'belongs on another manifest (another carrier, group or kind of goods)'
}

function findReason(row: NamedRow): WhyNot | null {
  return whyNot('manifest', {
    ...UNRELATED,
    status: row.status,
    manifestStatus: row.manifestStatus,
    isOnManifest: row.manifestId !== null,
    cancellation: row.cancelling ? 'cancel' : null,
    hasConsignment: row.consigned,
  })
}

/** Facts that have no part in whether a delivery goes on a manifest. */
const UNRELATED = {
  isOwn: false,
  bookingAttempt: null,
  isOverdue: false,
  hasExtraBooking: false,
  leftBehind: 'nothing',
} as const
