import type { Account, Store } from '../../domain/account/account.ts'
import { SCOPES, type Scope } from '../../domain/people/scopes.ts'
import type { ResolveContext } from '../../domain/quoting/resolve/resolve-quote.ts'
import type { AccountEntry } from './account-directory.ts'

export { SCOPES, type Scope }

/**
 * Who asks: an API client with its token's scopes, or a person with those of a role (`clientId` is then the user's).
 * Null `storeReferences`: every store of the account.
 */
export type Caller = {
  clientId: string
  scopes: ReadonlySet<Scope>
  storeReferences: ReadonlySet<string> | null
}

/** The stores a limited caller may see, as ids; null when it may see all. */
export function visibleStoreIds(account: Account, caller: Caller): string[] | null {
  if (!caller.storeReferences) return null
  return [...caller.storeReferences].flatMap((reference) => account.storeByReference.get(reference)?.id ?? [])
}

/** Whether the caller may touch this store's things. */
export function mayUseStore(
  caller: Pick<Caller, 'storeReferences'>,
  store: Pick<Store, 'reference'>,
): boolean {
  return caller.storeReferences === null || caller.storeReferences.has(store.reference)
}

/** What the account's rules look at besides the request. */
export function contextOf(entry: AccountEntry, caller: Caller): ResolveContext {
  return { sight: (store: { reference: string }) => mayUseStore(caller, store), nowMs: entry.nowMs() }
}
