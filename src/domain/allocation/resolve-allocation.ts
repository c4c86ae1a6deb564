import type { Account, Store } from '../account/account.ts'
import type { Issue } from '../errors.ts'
import type { Position } from '../geo/distance.ts'
import { coordinateRemedy, isInAustralia } from '../geo/in-australia.ts'
import { rawReadyIssues } from '../quoting/resolve/pre-schema-checks.ts'
import { type ResolveContext, readyIssues, toReadyMs } from '../quoting/resolve/resolve-quote.ts'
import { type ListedStores, unknownStores } from '../quoting/resolve/unknown-stores.ts'
import { record } from '../untyped-json.ts'
import type { AllocationRequest } from './allocation.ts'

/** The candidates of a well-formed request, each once, or every mistake that needs the account to detect. */
export function resolveAllocation(
  account: Account,
  request: Pick<AllocationRequest, 'storeIds' | 'storeReferences' | 'readyForPickupAt' | 'destination'>,
  { sight, nowMs }: ResolveContext,
): { candidates: readonly Store[] } | { issues: Issue[] } {
  const named = toNames(request)
  const issues = [
    ...coordinateIssues(request.destination),
    ...readyIssues(toReadyMs(request.readyForPickupAt, account.zone), nowMs),
    ...(named ? unknownStores(account, named, sight) : []),
  ]
  if (issues.length > 0) return { issues }
  return { candidates: named ? candidatesNamed(account, named) : account.stores }
}

/** The same for a body that its schema rejected: reads any shape, checks only well-formed parts, never throws. */
export function rawAllocationIssues(
  account: Account,
  body: unknown,
  { sight, nowMs }: ResolveContext,
): Issue[] {
  const raw = record(body)
  const named = rawNames(raw)
  const { latitude: lat, longitude: lng } = record(raw.address)
  return [
    ...(typeof lat === 'number' && typeof lng === 'number' ? coordinateIssues({ lat, lng }) : []),
    ...rawReadyIssues(account, null, raw.ready_for_pickup_at, nowMs),
    ...(named ? unknownStores(account, named, sight) : []),
  ]
}

/** No store could deliver there: ranking the stores would only hide the slip. */
function coordinateIssues({ lat, lng }: Position): Issue[] {
  if (isInAustralia(lat, lng)) return []
  const message = `${lat}, ${lng} is not in Australia: ${coordinateRemedy(lat, lng)}.`
  return [{ field: 'address.latitude', issue: 'out_of_range', message }]
}

function rawNames({ store_ids: ids, store_references: names }: Record<string, unknown>): ListedStores | null {
  if (Array.isArray(ids)) return { by: 'store_ids', names: ids }
  return Array.isArray(names) ? { by: 'store_references', names } : null
}

/** How the request names candidates: by ids if it has any, otherwise by references. */
export type Names = { by: 'store_ids' | 'store_references'; names: readonly string[] }

export function toNames(request: Pick<AllocationRequest, 'storeIds' | 'storeReferences'>): Names | null {
  if (request.storeIds) return { by: 'store_ids', names: request.storeIds }
  if (request.storeReferences) return { by: 'store_references', names: request.storeReferences }
  return null
}

/** The named stores that exist, each once. */
export function candidatesNamed(account: Account, { by, names }: Names): Store[] {
  const stores = by === 'store_ids' ? account.storeById : account.storeByReference
  return [...new Set(names)].flatMap((name) => stores.get(name) ?? [])
}
