import type { DeliveryContent } from '../delivery/delivery.ts'
import type { DangerousGoodsInput, ProductFlags, QuoteRequest, RequestParcel } from '../delivery/request.ts'
import { PRODUCT_TYPES } from '../values.ts'
import type { Job } from './job.ts'

/** The fields that a quote token is bound to, of a request or of an existing delivery. */
export type BoundJob = {
  storeId: string
  mode: Job['mode']
  /** Null: ready at once; the token does not bind it. */
  readyForPickupAtMs: number | null
  ignoreBufferTime: boolean
  useDynamicRfp: boolean
  declaredValueCents: number | null
  productTypes: ProductFlags
  destination: Job['destination']
  address: { address: string | null; address2: string | null; city: string }
  parcels: readonly RequestParcel[]
}

type Field = { field: string; textOf(job: BoundJob): string | null }

/**
 * The fields that affect price, eligibility or window, in the order that tokens store; each as text that is
 * equal for equal values. Null: the quote left it open, so the delivery may choose. Names and descriptions of
 * parcels, line items and the customer affect nothing and are not listed.
 */
const BOUND_FIELDS: readonly Field[] = [
  { field: 'store_reference', textOf: ({ storeId }) => storeId },
  { field: 'delivery_mode', textOf: ({ mode }) => mode },
  { field: 'ready_for_pickup_at', textOf: ({ readyForPickupAtMs: ms }) => (ms === null ? null : String(ms)) },
  { field: 'ignore_buffer_time', textOf: ({ ignoreBufferTime }) => String(ignoreBufferTime) },
  { field: 'use_dynamic_RFP', textOf: ({ useDynamicRfp }) => String(useDynamicRfp) },
  { field: 'price_cents_total_value', textOf: ({ declaredValueCents }) => String(declaredValueCents) },
  {
    field: 'product_types',
    textOf: ({ productTypes }) => PRODUCT_TYPES.filter((type) => productTypes[type]).join(),
  },
  { field: 'address.post_code', textOf: ({ destination: { state, postCode } }) => `${state} ${postCode}` },
  { field: 'address.city', textOf: ({ destination, address }) => folded(destination.suburb ?? address.city) },
  { field: 'address.business', textOf: ({ destination }) => String(!destination.residential) },
  { field: 'address.address', textOf: ({ address: { address } }) => address && folded(address) },
  { field: 'address.address2', textOf: ({ address: { address2 } }) => address2 && folded(address2) },
  { field: 'parcels', textOf: ({ parcels }) => parcels.map(parcelText).sort().join('\n') },
]

export type BoundField = { field: string; text: string | null }

export function boundFields(job: BoundJob): BoundField[] {
  return BOUND_FIELDS.map(({ field, textOf }) => ({ field, text: textOf(job) }))
}

/** From a quote request, which may omit the street and the time. */
export function boundJobOfQuote(request: QuoteRequest, job: Job): BoundJob {
  return {
    storeId: job.store.id,
    mode: job.mode,
    readyForPickupAtMs: job.readyForPickupAtMs,
    ignoreBufferTime: job.ignoreBufferTime,
    useDynamicRfp: request.useDynamicRfp,
    declaredValueCents: job.declaredValueCents,
    productTypes: request.productTypes,
    destination: job.destination,
    address: request.address,
    parcels: request.parcels,
  }
}

/** From a delivery, new or stored. `readyForPickupAtMs` is null for an order that waits at the store. */
export function boundJobOfDelivery(
  content: DeliveryContent,
  { storeId, readyForPickupAtMs }: { storeId: string; readyForPickupAtMs: number | null },
): BoundJob {
  return {
    storeId,
    mode: content.deliveryMode,
    readyForPickupAtMs,
    ignoreBufferTime: content.ignoreBufferTime,
    useDynamicRfp: content.useDynamicRfp,
    declaredValueCents: content.priceCentsTotalValue,
    productTypes: content.productTypes,
    destination: content.destination,
    address: content.address,
    parcels: content.parcels,
  }
}

function parcelText(parcel: RequestParcel): string {
  const { type, lengthCm, widthCm, heightCm, weightKg, quantity, dangerousGoods } = parcel
  const goods = dangerousGoods && goodsText(dangerousGoods)
  return JSON.stringify([type ?? 'carton', lengthCm, widthCm, heightCm, weightKg, quantity, goods])
}

/** Sorted by name: a stored object may have its members in another order. */
function goodsText(goods: DangerousGoodsInput): [string, unknown][] {
  return Object.entries(goods).sort(([a], [b]) => (a < b ? -1 : 1))
}

function folded(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}
