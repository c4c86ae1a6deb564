import type { Account, Store } from '../../domain/account/account.ts'
import type { AssistantAccess } from '../../domain/people/assistant-access.ts'
import { SCOPES, type Scope } from '../../domain/people/scopes.ts'
import type { ResolveContext } from '../../domain/quoting/resolve/resolve-quote.ts'
import type { AccountEntry } from './account-directory.ts'

export { SCOPES, type Scope }

/**
 * The caller: an API client with the scopes of its token, or a user with the scopes of a role (`clientId` is then the
 * user's id). Null `storeReferences`: every store of the account.
 */
export type Caller = {
  clientId: string
  scopes: ReadonlySet<Scope>
  storeReferences: ReadonlySet<string> | null
  /** Set if an assistant calls in the user's name. */
  assistant?: CallingAssistant
}

export type CallingAssistant = { assistantId: string; grantId: string; access: AssistantAccess }

/** Distinguishes a user's assistant from the user, for rate limits and confirmations. */
export function toCallerKey({ clientId, assistant }: Caller): string {
  return assistant?.grantId ?? clientId
}

/** The ids of the stores that a restricted caller may see; null if the caller may see all. */
export function visibleStoreIds(account: Account, caller: Caller): string[] | null {
  if (!caller.storeReferences) return null
  return [...caller.storeReferences].flatMap((reference) => account.storeByReference.get(reference)?.id ?? [])
}

/** Whether the caller may use data of this store. */
export function mayUseStore(
  caller: Pick<Caller, 'storeReferences'>,
  store: Pick<Store, 'reference'>,
): boolean {
  return caller.storeReferences === null || caller.storeReferences.has(store.reference)
}

/** The input of the account's rules besides the request. */
export function toResolveContext(entry: AccountEntry, caller: Caller): ResolveContext {
  return { sight: (store: { reference: string }) => mayUseStore(caller, store), nowMs: entry.nowMs() }
}
