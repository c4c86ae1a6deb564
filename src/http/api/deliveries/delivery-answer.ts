import { LRUCache } from 'lru-cache'
import { decodeTime } from 'ulid'
import type { Store } from '../../../domain/account/account.ts'
import type { Delivery } from '../../../domain/delivery/delivery.ts'
import { hasProof } from '../../../domain/delivery/status.ts'
import { storeOfDelivery } from '../../../operations/delivery-lookup/store-of-delivery.ts'
import type { AccountEntry } from '../../../operations/directory/account-directory.ts'
import { hasDeclaration } from '../../../operations/paperwork/delivery-declaration.ts'
import { signPath } from '../../../operations/secrets/sign.ts'
import { deliveryPin } from '../../../operations/tokens/driver-token.ts'
import { trackingAddress } from '../../../operations/tokens/tracking-token.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { created, type HttpResponse, json, type Keep, type TenantRequest } from '../../contract/endpoint.ts'
import { fromDelivery } from './delivery-wire.ts'

/** The delivery for a response, with fresh links. Finds a store that was removed from the account in its old version. */
export async function deliveryData(deps: HttpDeps, entry: AccountEntry, delivery: Delivery): Promise<object> {
  return deliveryWith(deps, entry, delivery, await storeOfDelivery(deps, entry, delivery))
}

/** The same, if the caller already has the store. */
export function deliveryWith(deps: HttpDeps, entry: AccountEntry, delivery: Delivery, store: Store): object {
  const place = deliveryPath(delivery)
  const path = `${place}/label`
  return fromDelivery(delivery, {
    store,
    trackingUrl: trackingAddress(deps, delivery.accountId, delivery.id),
    // Signs a URL only if the response contains it: a signature takes a tenth of a create's time.
    labelUrl: () => signedUrlOfBooking(deps, path, delivery),
    dangerousGoodsFormUrl: hasDeclaration(deps, entry, delivery)
      ? signedUrlOfBooking(deps, `${path}/dgd`, delivery)
      : null,
    proofUrl: hasProof(delivery) ? signedUrl(deps, `${place}/proof`) : null,
    pin: delivery.content.staffCourier ? deliveryPin(deps.secretKey, delivery.accountId, delivery.id) : null,
  })
}

/** The path at which the delivery is read. */
export function deliveryPath({ accountId, id }: Pick<Delivery, 'accountId' | 'id'>): string {
  return `/${encodeURIComponent(accountId)}/deliveries/${id}`
}

/** For operations that change one delivery in one transaction: writes the audit row and the stored response in it. */
export function deliveryKept({ deps, entry, audit, keep }: Pick<TenantRequest, Kept>) {
  return async (db: Parameters<Keep>[0], delivery: Delivery): Promise<HttpResponse> => {
    const { accountId, id: object, status } = delivery
    await audit.record(db, { accountId, object, after: { status } })
    const answer = json(200, { data: await deliveryData(deps, entry, delivery) })
    await keep(db, answer)
    return answer
  }
}

/** The same for an operation that creates a delivery. */
export function createdDeliveryKept({ deps, entry, audit, keep }: Pick<TenantRequest, Kept>) {
  return async (db: Parameters<Keep>[0], delivery: Delivery): Promise<HttpResponse> => {
    const { accountId, id: object, status } = delivery
    await audit.record(db, { accountId, object, after: { status } })
    const answer = created(deliveryPath(delivery), { data: await deliveryData(deps, entry, delivery) })
    await keep(db, answer)
    return answer
  }
}

type Kept = 'deps' | 'entry' | 'audit' | 'keep'

const DAY_MS = 24 * 60 * 60 * 1000
/** A signed URL of a document is valid for 24 hours from the response that contains it. */
const LINK_LIFE_MS = DAY_MS
/** Shops store a label's URL once, when it is booked. */
const BOOKED_LINK_LIFE_MS = 30 * DAY_MS

/** Capability URL: an absolute, signed URL that opens a document without a bearer token. */
export function signedUrl(deps: HttpDeps, path: string): string {
  return `${deps.publicUrl}${path}?${signPath(deps.secretKey, path, Date.now() + LINK_LIFE_MS)}`
}

/**
 * The same URL in every answer, valid until 30 days after the booking: of the label and the declaration. Booking times
 * are account time, which a test clock may have moved, so the wall time of creation is taken from the delivery's id.
 */
export function signedUrlOfBooking(
  deps: HttpDeps,
  path: string,
  { id, createdAtMs, bookedAtMs }: Pick<Delivery, 'id' | 'createdAtMs' | 'bookedAtMs'>,
): string {
  const waitedMs = Math.max(0, (bookedAtMs ?? createdAtMs) - createdAtMs)
  const expMs = decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()) + waitedMs + BOOKED_LINK_LIFE_MS
  const key = `${deps.secretKey}\n${path}\n${expMs}`
  const query = signedQueries.get(key) ?? signPath(deps.secretKey, path, expMs)
  signedQueries.set(key, query)
  return `${deps.publicUrl}${path}?${query}`
}

/** As for tracking tokens: signed once, shown in every list. */
const signedQueries = new LRUCache<string, string>({ max: 2_000 })
