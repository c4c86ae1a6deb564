import type { Store } from '../domain/account/account.ts'
import type { Delivery } from '../domain/delivery/delivery.ts'
import type { AccountEntry } from '../operations/account-directory.ts'
import { hasDeclaration } from '../operations/delivery-declaration.ts'
import { hasProofOf } from '../operations/delivery-proof.ts'
import { deliveryPin } from '../operations/driver-token.ts'
import { trackingAddress } from '../operations/tracking-token.ts'
import type { HttpDeps } from './deps.ts'
import { signedUrl } from './signed-url.ts'
import { fromDelivery } from './wire/delivery.ts'

/** The delivery as it is answered, with fresh links. A store that left the account is found in its version. */
export async function deliveryData(deps: HttpDeps, entry: AccountEntry, delivery: Delivery): Promise<object> {
  const store = entry.account.storeById.get(delivery.storeId) ?? (await retiredStore(deps, delivery))
  return deliveryWith(deps, delivery, store)
}

/** The same where the store is at hand. */
export function deliveryWith(deps: HttpDeps, delivery: Delivery, store: Store): object {
  const place = `/${encodeURIComponent(delivery.accountId)}/deliveries/${delivery.id}`
  const path = `${place}/label`
  return fromDelivery(delivery, {
    store,
    trackingUrl: trackingAddress(deps, delivery.accountId, delivery.id),
    // Made only for what shows it: a signature is a tenth of a create's time.
    labelUrl: () => signedUrl(deps, path),
    dangerousGoodsFormUrl: hasDeclaration(deps, delivery) ? signedUrl(deps, `${path}/dgd`) : null,
    proofUrl: hasProofOf(delivery) ? signedUrl(deps, `${place}/proof`) : null,
    pin: delivery.content.staffCourier ? deliveryPin(deps.secretKey, delivery.accountId, delivery.id) : null,
  })
}

async function retiredStore(deps: HttpDeps, delivery: Delivery): Promise<Store> {
  const account = await deps.accounts.atVersion(delivery.accountId, delivery.accountVersion)
  const store = account.storeById.get(delivery.storeId)
  if (!store)
    throw new Error(
      `Version ${delivery.accountVersion} of ${delivery.accountId} lacks store ${delivery.storeId}.`,
    )
  return store
}
