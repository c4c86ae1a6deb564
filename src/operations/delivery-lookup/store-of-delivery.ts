import type { Account, Store } from '../../domain/account/account.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { findNamedStore, type StoreNamed } from '../../domain/quoting/resolve/resolve-store.ts'
import { findStoreEver } from '../../store/accounts/stores.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

/**
 * The store of a delivery. A store that left the account is read from the version that the delivery was decided under.
 */
export async function storeOfDelivery(
  deps: Pick<Deps, 'accounts'>,
  { account }: AccountEntry,
  { accountId, accountVersion, storeId }: Pick<Delivery, 'accountId' | 'accountVersion' | 'storeId'>,
): Promise<Store> {
  const store = account.storeById.get(storeId)
  if (store) return store
  const before = await deps.accounts.atVersion(accountId, accountVersion)
  const retired = before.storeById.get(storeId)
  if (!retired) throw new Error(`Version ${accountVersion} of ${accountId} lacks store ${storeId}.`)
  return retired
}

/**
 * The account document with the named store: the version in use or, for a store that left, the version that its
 * newest delivery was decided under. The version in use also if there never was such a store.
 */
export async function accountOfStore(
  deps: Pick<Deps, 'accounts' | 'db'>,
  { account }: Pick<AccountEntry, 'account'>,
  named: StoreNamed,
): Promise<Account> {
  if (findNamedStore(account, named)) return account
  const left = await findStoreEver(deps.db, account.id, named)
  return left?.accountVersion ? deps.accounts.atVersion(account.id, left.accountVersion) : account
}
