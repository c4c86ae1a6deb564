import type { Store } from '../domain/account/account.ts'
import type { Delivery } from '../domain/delivery/delivery.ts'
import type { AccountEntry } from './account-directory.ts'
import type { Deps } from './deps.ts'

/** The store of a delivery; one that left the account is found in the version that the delivery was decided under. */
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
