import type { PoolClient } from 'pg'
import type { Account, Store } from '../../domain/account/account.ts'
import { can, STATUSES, type Status } from '../../domain/delivery/status.ts'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { manifestGroups } from '../../domain/manifests/group.ts'
import { manifestIssues } from '../../domain/manifests/manifest-issues.ts'
import { findNamedStore } from '../../domain/quoting/resolve/resolve-store.ts'
import { listFirstIssues, refuse } from '../../domain/refuse.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { KEPT_HOURS } from '../../store/deliveries/idempotency.ts'
import { makeManifests } from '../../store/manifests/make-manifests.ts'
import {
  type CandidateRow,
  lockCandidates,
  type Meant,
  markReady,
} from '../../store/manifests/manifest-candidates.ts'
import { listManifestsOfRequest, type ManifestRow } from '../../store/manifests/manifests.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import { accountOfStore } from '../delivery-lookup/store-of-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, mayUseStore, toResolveContext } from '../directory/caller.ts'
import { type FullManifest, fullManifests } from './get-manifest.ts'
import { ineligibleReferences, needsSeparateManifest, onManifests } from './manifest-ineligible.ts'
import { submitWithin } from './submit-within.ts'

/** A clerk's filters and options. Null: no filter. */
export type ManifestRequest = {
  storeId: string | null
  storeReference: string | null
  /** Only deliveries of this group. */
  group: string | null
  /** Only deliveries with dangerous goods, or only those without. */
  dangerousGoods: boolean | null
  /** Merchant references; null for all eligible deliveries. */
  references: readonly string[] | null
  markReady: boolean
  submit: boolean
  wantsSummary: boolean
}

/**
 * An idempotency key that is reused after this is a new request: next week's manifest may have the same name
 * as this week's.
 */
const KEY_LIFE_MS = KEPT_HOURS * 3_600_000

/** Statuses in which a delivery can go on a manifest. */
export const MANIFESTABLE: readonly Status[] = STATUSES.filter((status) => can('manifest', { status }))

/**
 * Makes a store's manifests, one for each group that the carriers require, and submits them unless the caller
 * wants drafts. Returns after at most 8 s: a manifest whose carrier has not answered by then is `submitting`.
 *
 * If two clerks make manifests at once, each delivery goes to one of them; the other gets the remaining ones,
 * or a refusal if they named the delivery. Refuses `invalid_request` naming each ineligible reference; then
 * no manifest is made.
 */
export async function manifestStore(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  request: ManifestRequest,
  idempotency: { key: string; fingerprint: Buffer } | null,
  record: WriteAudit = noAudit,
): Promise<FullManifest[]> {
  const of = await getStore(deps, entry, caller, request)

  const sinceMs = entry.nowMs() - KEY_LIFE_MS
  const earlier = idempotency
    ? await listManifestsOfRequest(deps.db, entry.account.id, { ...idempotency, sinceMs })
    : []
  if (earlier.length > 0) return fullManifests(deps, earlier)

  const claimedAtMs = performance.now()
  const made = await withTransaction(deps.db, async (db) => {
    const rows = await make(deps, entry, db, of, request, idempotency)
    const ids = rows.map(({ id }) => id)
    await record(db, { accountId: entry.account.id, object: null, after: { ids } })
    return rows
  })
  if (!request.submit) return fullManifests(deps, made)
  return fullManifests(deps, await submitWithin(deps, entry, made, claimedAtMs))
}

async function make(
  deps: Deps,
  entry: AccountEntry,
  db: PoolClient,
  { store, accountVersion }: StoreOf,
  request: ManifestRequest,
  idempotency: { key: string; fingerprint: Buffer } | null,
): Promise<ManifestRow[]> {
  const { account, nowMs } = entry
  const { references } = request
  const named: Meant = references === null ? { all: true } : { references }
  const meant: Meant = request.markReady ? { all: true } : named
  const eligible = await lockCandidates(db, account.id, store.id, MANIFESTABLE, meant)
  const asked = references && new Set(references)
  const wanted = eligible.filter((one) => isWanted(one, request) && (!asked || asked.has(one.reference)))
  if (references) await requireAll(db, account, store, references, wanted)
  if (request.markReady) {
    const ids = eligible.map(({ deliveryId }) => deliveryId)
    await markReady(db, account.id, ids, nowMs())
  }
  if (wanted.length === 0) return []

  const candidates = wanted.map((row) => ({
    ...row,
    apart: needsSeparateManifest(account, row),
    maxUnits: deps.carrierOf(entry, row.provider)?.manifest?.maxUnits ?? null,
  }))
  return makeManifests(db, {
    accountId: account.id,
    storeId: store.id,
    accountVersion,
    wantsSummary: request.wantsSummary,
    nowMs: nowMs(),
    submitLeaseMs: request.submit ? deps.leaseMs : null,
    request: idempotency,
    manifests: manifestGroups(candidates).map(({ provider, manifestGroup, dangerousGoods, deliveries }) => ({
      id: deps.newId('man'),
      provider,
      carrierName: account.carrierByProvider.get(provider)?.name ?? deliveries[0]?.carrierName ?? provider,
      group: manifestGroup,
      dangerousGoods,
      members: deliveries,
      eventId: deps.newId('evt'),
    })),
  })
}

function isWanted(row: CandidateRow, { group, dangerousGoods }: ManifestRequest): boolean {
  if (group !== null && row.manifestGroup !== group) return false
  return dangerousGoods === null || row.dangerousGoods === dangerousGoods
}

async function requireAll(
  db: PoolClient,
  account: Account,
  store: Store,
  references: readonly string[],
  wanted: readonly CandidateRow[],
): Promise<void> {
  const found = new Set(wanted.map(({ reference }) => reference))
  const missing = references.filter((reference) => !found.has(reference))
  if (missing.length === 0) return
  const why = await ineligibleReferences(db, account, store, missing)
  const issues = references.flatMap((reference, index): Issue[] => {
    const reason = why.get(reference)
    if (!reason) return []
    return [{ field: `delivery_references[${index}]`, issue: reason.issue, message: reason.message }]
  })
  const [first] = issues
  const message =
    issues.length === 1 && first
      ? first.message
      : `${issues.length} deliveries cannot go on a manifest; nothing was made. ${listFirstIssues(issues)}`
  const held = onManifests(why)
  throw new Refusal('invalid_request', message, { issues, ...(held && { details: { on_manifests: held } }) })
}

/** A store, and the version of the account that has it. */
type StoreOf = { store: Store; accountVersion: number }

/**
 * Also a store, or a group of a carrier, that is no longer in the account: their deliveries still need
 * manifests.
 */
async function getStore(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  named: ManifestRequest,
): Promise<StoreOf> {
  const account = await accountOfStore(deps, entry, named)
  const store = findNamedStore(account, named)
  if (store && !mayUseStore(caller, store))
    throw new Refusal('not_found', `There is no store ${named.storeId ?? named.storeReference}.`)
  const carriers = [...account.carriers, ...entry.removedCarriers.values()]
  const issues = manifestIssues({ ...account, carriers }, named, toResolveContext(entry, caller).sight)
  return store && issues.length === 0 ? { store, accountVersion: account.version } : refuse(issues)
}
