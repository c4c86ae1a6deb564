import type { DeliveryContent } from '../delivery/delivery.ts'
import type { DangerousGoodsInput, ProductFlags, QuoteRequest, RequestParcel } from '../delivery/request.ts'
import { type DeliveryType, PRODUCT_TYPES, type Window } from '../values.ts'
import type { CarrierQuote, Decision, Option, PriceLine } from './decision.ts'
import type { Job } from './job.ts'

/** The promise of a quote token: one service at one price in one window, or only the window of a delivery type. */
export type Hold = OptionHold | WindowHold
export type OptionHold = {
  kind: 'option'
  deliveryType: DeliveryType
  provider: string
  service: string
  priceCents: number
  window: Window
  /** The carrier's own price that it is based on; null when the price is from a rate card. */
  quote: CarrierQuote | null
}
export type WindowHold = { kind: 'window'; deliveryType: DeliveryType; window: Window }

/** Whether a service whose window is now `offered` can still arrive in the held window. */
export function keepsWindow(offered: Window, held: Window): boolean {
  return offered.fromMs < held.toMs && offered.toMs > held.fromMs
}

/** Whether a service can arrive in the held window, if need be by a later pickup than its earliest. */
export function reachesWindow(offered: Window, held: Window): boolean {
  return offered.fromMs < held.toMs
}

/**
 * The options of a fresh decision that keep the promise, as they are booked: in the held window, and at the
 * held price if there is one. `wallMs` checks the carrier's own quote: until it expires, the carrier's
 * current price does not matter.
 */
export function heldOptions({ options }: Decision, hold: Hold, wallMs: number): Option[] {
  return options.flatMap((option) => {
    if (hold.kind === 'window') {
      const keeps = option.service.type === hold.deliveryType && reachesWindow(option.window, hold.window)
      return keeps ? [{ ...option, window: hold.window }] : []
    }
    if (!keepsWindow(option.window, hold.window)) return []
    return isHeldService(option, hold) && keepsPrice(option, hold, wallMs)
      ? [atHeldPrice(option, hold, wallMs)]
      : []
  })
}

/** Whether it is exactly the held service. */
export function isHeldService(
  { service }: Pick<Option, 'service'>,
  hold: Pick<OptionHold, 'provider' | 'service'>,
): boolean {
  return service.provider === hold.provider && service.service === hold.service
}

/** If our own price list changed, the held price stays; if the carrier's price rose, it does not. */
function keepsPrice({ quote }: Option, hold: OptionHold, wallMs: number): boolean {
  if (!quote || !hold.quote) return true
  return hold.quote.expiresAtMs > wallMs || quote.priceCents <= hold.quote.priceCents
}

function atHeldPrice(option: Option, hold: OptionHold, wallMs: number): Option {
  const isQuoteGood = hold.quote !== null && hold.quote.expiresAtMs > wallMs
  return {
    ...atPrice(option, hold.priceCents),
    window: hold.window,
    quote: isQuoteGood ? hold.quote : option.quote,
  }
}

/** The option at the promised price; the difference becomes a line of its own. */
export function atPrice(option: Option, priceCents: number): Option {
  const cents = priceCents - option.priceCents
  if (cents === 0) return option
  const line: PriceLine = { name: 'held_price', cents, detail: 'the price that was quoted' }
  return { ...option, priceCents, lines: [...option.lines, line] }
}

/**
 * The last moment until `untilMs`, to the second, when `windowAt` still keeps the window that it has at
 * `nowMs`. A pickup only moves later, so once the window is lost it stays lost.
 */
export function heldUntilMs(
  windowAt: (ms: number) => Window | null,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): number {
  const held = windowAt(nowMs)
  if (!held) return nowMs
  const keepsAt = (ms: number): boolean => {
    const offered = windowAt(ms)
    return offered !== null && keepsWindow(offered, held)
  }
  if (keepsAt(untilMs)) return untilMs
  let [holdsMs, lostMs] = [nowMs, untilMs]
  while (lostMs - holdsMs > SECOND_MS) {
    const middle = Math.floor((holdsMs + lostMs) / 2)
    if (keepsAt(middle)) holdsMs = middle
    else lostMs = middle
  }
  return holdsMs
}

const SECOND_MS = 1_000

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
