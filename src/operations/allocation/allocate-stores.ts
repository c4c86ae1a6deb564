import type { Account, Store } from '../../domain/account/account.ts'
import type { AllocationRequest, StoreRank } from '../../domain/allocation/allocation.ts'
import { rankStores } from '../../domain/allocation/rank-stores.ts'
import { candidatesNamed, resolveAllocation, toNames } from '../../domain/allocation/resolve-allocation.ts'
import { Refusal } from '../../domain/errors.ts'
import { refuse } from '../../domain/refuse.ts'
import { type Caller, mayUseStore } from '../directory/caller.ts'

/** The stores that a caller may rank. */
export type Sight = Pick<Caller, 'storeReferences'>

/** The best stores for an order, from memory alone. Throws as `candidatesOrRefuse`. */
export function allocateStores(
  account: Account,
  sight: Sight,
  request: AllocationRequest,
  nowMs: number,
): StoreRank[] {
  return rankStores(account, candidatesOrRefuse(account, sight, request, nowMs), request, nowMs)
}

/**
 * Throws a Refusal: `not_found` for a candidate that the caller may not see, otherwise `invalid_request` with every
 * issue.
 */
export function candidatesOrRefuse(
  account: Account,
  sight: Sight,
  request: AllocationRequest,
  nowMs: number,
): readonly Store[] {
  const named = toNames(request)
  const hidden = named && candidatesNamed(account, named).find((store) => !mayUseStore(sight, store))
  if (hidden) {
    const name = named.by === 'store_ids' ? hidden.id : hidden.reference
    throw new Refusal('not_found', `There is no store ${name}.`)
  }
  const resolved = resolveAllocation(account, request, { sight: (store) => mayUseStore(sight, store), nowMs })
  if ('issues' in resolved) return refuse(resolved.issues)
  if (named || sight.storeReferences === null) return resolved.candidates
  return [...sight.storeReferences].flatMap((reference) => account.storeByReference.get(reference) ?? [])
}
