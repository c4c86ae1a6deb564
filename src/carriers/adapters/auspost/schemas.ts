import { z } from 'zod'
import { carrierCode, dollarsAsCents, eachOf, instantMs } from '../../kit/answer.ts'
import { IN_FULL, IN_PART } from './statuses.ts'

/** Their reference omits fields without a value; null counts as omitted. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

/** `GET /accounts/{number}` */
export const Account = z.object({
  account_number: z.string(),
  name: z.string().default(''),
  valid_to: z.string().default(''),
  expired: z.boolean().default(false),
  credit_blocked: z.boolean().default(false),
  postage_products: z.array(z.object({ product_id: z.string() })).default([]),
})

/** `GET /address` */
export const Suburbs = z.object({ found: z.boolean(), results: z.array(z.string()).default([]) })

/** `POST /prices/shipments` */
const none = dollarsAsCents.nullish().transform((cents) => cents ?? 0)
const Costs = z.object({
  total_cost: dollarsAsCents,
  fuel_surcharge: none,
  manual_handling_surcharge: none,
  security_surcharge: none,
})
export type Costs = z.output<typeof Costs>
export const Prices = z.object({ shipments: z.array(z.object({ shipment_summary: Costs })).min(1) })

/** `POST /shipments`, `GET /shipments` */
const Item = z
  .object({
    item_reference: text,
    tracking_details: z.object({ article_id: carrierCode, consignment_id: carrierCode }),
  })
  .transform(({ item_reference: reference, tracking_details: { article_id, consignment_id } }) => ({
    reference,
    articleId: article_id,
    consignmentId: consignment_id,
  }))
const Shipment = z
  .object({
    shipment_id: carrierCode,
    shipment_reference: text,
    sender_references: z.array(z.string().nullable()).nullish(),
    order_id: carrierCode.nullish(),
    shipment_summary: z.object({ total_cost: dollarsAsCents }),
    items: z.tuple([Item], Item),
  })
  .transform(({ items, ...shipment }) => ({
    key: shipment.sender_references?.[0] ?? undefined,
    reference: shipment.shipment_reference,
    orderId: shipment.order_id ?? null,
    shipmentId: shipment.shipment_id,
    consignmentId: items[0].consignmentId,
    costCents: shipment.shipment_summary.total_cost,
    units: items,
  }))
export const Shipments = z.object({ shipments: z.array(Shipment) })

/** `GET /shipments`, for label requests. */
const LabelledItem = z.object({ item_id: carrierCode })
export const Items = z.object({
  shipments: z.array(z.object({ shipment_id: carrierCode, items: z.array(LabelledItem).min(1) })).min(1),
})

/**
 * `PUT /orders`, `GET /orders/{id}`. Articles keep the ids from the booking: an order assigns no new ones.
 */
const OneOrder = z.object({
  order_id: carrierCode,
  order_reference: z
    .string()
    .nullish()
    .transform((value) => value ?? undefined),
  order_summary: z.object({ total_cost: dollarsAsCents }),
})
export const Order = z
  .object({ order: OneOrder })
  .transform(({ order: { order_id: orderId, order_reference: key, order_summary } }) => ({
    key,
    lodged: { orderId, costCents: order_summary.total_cost, articles: new Map() },
  }))

/** `POST /labels`, `GET /labels/{id}`. The URL is present once the labels are made. */
const Label = z
  .object({
    request_id: carrierCode,
    status: z.string().toUpperCase(),
    url: z.url({ protocol: /^https?$/ }).nullish(),
  })
  .transform(({ request_id: requestId, status, url }) => {
    if (status === 'AVAILABLE' && url) return { requestId, url, failed: false }
    return { requestId, url: null, failed: status !== 'PENDING' }
  })
export const Labels = z.object({ labels: z.tuple([Label]) })

/** `GET /track` */
const Scan = z.object({ description: z.string().min(1), date: instantMs, location: text })
const Scans = eachOf(Scan)
  .nullish()
  .transform((scans) => scans ?? { good: [], unreadable: 0 })
const Parcel = z.object({
  article_id: text,
  status: text.transform((status) => status.toLowerCase()),
  events: Scans,
})
export type Parcel = z.output<typeof Parcel>
/** A single parcel, or the parcels of a consignment. */
const Trackable = z.union([
  z.object({ items: z.array(Parcel) }).transform(({ items }) => items),
  Parcel.transform((parcel) => [parcel]),
])
/** StarTrack only: the consignment has events of its own beside its parcels'; sometimes a list of one. */
const ConsignmentEvents = z.union([z.array(Parcel), Parcel.transform((parcel) => [parcel])]).default([])
const Known = z
  .object({
    tracking_id: carrierCode,
    trackable_items: z
      .array(Trackable)
      .nullish()
      .transform((items) => items ?? []),
    consignment: ConsignmentEvents,
  })
  .transform(({ tracking_id: id, trackable_items, consignment }) => {
    const own = consignment.slice(0, 1).map((parcel) => ({ ...parcel, article_id: id }))
    const texts = own.flatMap(({ status, events }) => [status, ...events.good.map((one) => one.description)])
    const isFull = texts.some((message) => IN_FULL.test(message))
    const isPart = own.some(({ status }) => status === IN_PART)
    const delivered = isFull ? ('all' as const) : isPart ? ('some' as const) : null
    return { id, parcels: trackable_items.flat(), own, delivered }
  })
export type Consigned = z.output<typeof Known>
/** No events are known: the consignment is still open. */
export const SILENT: Consigned = { id: '', parcels: [], own: [], delivered: null }
const UnknownId = z
  .object({ tracking_id: z.string(), errors: z.array(z.unknown()).min(1) })
  .transform(({ tracking_id: id }): Consigned => ({ ...SILENT, id }))
export const Tracked = z.object({ tracking_results: eachOf(z.union([UnknownId, Known])) })
