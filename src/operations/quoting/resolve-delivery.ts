import type { Account } from '../../domain/account/account.ts'
import type { DeliveryRequest, QuoteRequest } from '../../domain/delivery/request.ts'
import { type Issue, Refusal } from '../../domain/errors.ts'
import type { Job } from '../../domain/quoting/job.ts'
import { type ResolvedDelivery, resolveDelivery } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { resolveQuote } from '../../domain/quoting/resolve/resolve-quote.ts'
import { findNamedStore, type StoreNamed } from '../../domain/quoting/resolve/resolve-store.ts'
import { refuse } from '../../domain/refuse.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, contextOf, mayUseStore } from '../directory/caller.ts'

/**
 * Throws Refusal: `not_found` for a store out of the caller's sight, else `invalid_request` with every issue, those
 * that the caller knows beside it last.
 */
export function resolveDeliveryOrRefuse(
  entry: AccountEntry,
  caller: Caller,
  request: DeliveryRequest,
  beside: readonly Issue[] = [],
): ResolvedDelivery {
  requireStoreInSight(entry.account, caller, request)
  const resolved = resolveDelivery(entry.account, request, contextOf(entry, caller))
  if ('issues' in resolved) return refuse([...resolved.issues, ...beside])
  return beside.length > 0 ? refuse(beside) : resolved
}

/** The same for quotes and availability. */
export function resolveQuoteOrRefuse(entry: AccountEntry, caller: Caller, request: QuoteRequest): Job {
  requireStoreInSight(entry.account, caller, request)
  const resolved = resolveQuote(entry.account, request, contextOf(entry, caller))
  return 'issues' in resolved ? refuse(resolved.issues) : resolved.job
}

function requireStoreInSight(account: Account, caller: Caller, named: StoreNamed): void {
  const store = findNamedStore(account, named)
  if (!store || mayUseStore(caller, store)) return
  throw new Refusal('not_found', `There is no store ${named.storeId ?? named.storeReference}.`)
}
