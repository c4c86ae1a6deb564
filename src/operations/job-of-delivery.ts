import type { Account } from '../domain/account/account.ts'
import { resolveDangerousGoods } from '../domain/dangerous-goods/resolve.ts'
import type { Delivery } from '../domain/delivery/delivery.ts'
import type { Job } from '../domain/quoting/job.ts'
import { PRODUCT_TYPES } from '../domain/values.ts'

/** The job of a stored delivery: what was resolved when it was created, decided anew. */
export function jobOf(account: Account, delivery: Delivery, carrierReadyMs: Job['carrierReadyMs'] = new Map()): Job {
  const { content } = delivery
  const store = account.storeById.get(delivery.storeId)
  if (!store) throw new Error(`Account version ${account.version} lacks store ${delivery.storeId}.`)
  return {
    store,
    mode: content.deliveryMode,
    destination: content.destination,
    parcels: content.parcels.map((parcel) => ({
      type: parcel.type ?? 'carton',
      lengthCm: parcel.lengthCm,
      widthCm: parcel.widthCm,
      heightCm: parcel.heightCm,
      weightKg: parcel.weightKg,
      quantity: parcel.quantity,
      dangerousGoods: parcel.dangerousGoods && resolveDangerousGoods(account, parcel.dangerousGoods),
    })),
    readyForPickupAtMs: delivery.readyForPickupAtMs,
    ignoreBufferTime: content.ignoreBufferTime,
    carrierReadyMs,
    declaredValueCents: content.priceCentsTotalValue,
    productTypes: new Set(PRODUCT_TYPES.filter((type) => content.productTypes[type])),
    deliveryType: content.requestedType,
    pin: content.providerOptions,
  }
}
