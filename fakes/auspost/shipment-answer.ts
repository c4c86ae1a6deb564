import { instantWords, labelWords } from './moments.ts'
import { dollars, totalWords } from './prices.ts'
import type { Item, Shipment, State } from './state.ts'
import { trackingSummary, updatesOf } from './tracking.ts'

/** `sealed`: the response to the order that includes them has this status, before any other response does. */
type Manner = { sealed?: boolean; parties?: boolean }

/** A shipment as in the responses that create, list and order it. */
export function shipmentAnswer(
  state: State,
  shipment: Shipment,
  { sealed = false, parties = false }: Manner = {},
) {
  const nowMs = state.clock.nowMs()
  const { cost, items, senderReferences } = shipment
  const status = sealed ? 'Sealed' : shipment.orderId === null ? 'Created' : 'Initiated'
  return {
    shipment_id: shipment.shipmentId,
    ...(shipment.reference === null ? {} : { shipment_reference: shipment.reference }),
    shipment_creation_date: instantWords(shipment.createdMs),
    shipment_modified_date: instantWords(shipment.modifiedMs),
    ...(senderReferences[0] === undefined ? {} : { customer_reference_1: senderReferences[0] }),
    ...(senderReferences[1] === undefined ? {} : { customer_reference_2: senderReferences[1] }),
    sender_references: senderReferences,
    email_tracking_enabled: shipment.emailTracking,
    ...(shipment.despatchDate === null ? {} : { despatch_date: shipment.despatchDate }),
    ...(parties ? { from: shipment.from.fields, to: shipment.to.fields } : {}),
    ...(shipment.dangerousGoods ? { dangerous_goods: shipment.dangerousGoods } : {}),
    items: items.map((item) => itemAnswer(state, shipment, item, sealed)),
    shipment_summary: {
      ...totalWords(cost.totalCents),
      fuel_surcharge: dollars(cost.fuelCents),
      ...surchargesOf(cost),
      status,
      tracking_summary: sealed ? { Sealed: items.length } : trackingSummary([shipment], nowMs),
      number_of_items: items.length,
    },
    movement_type: shipment.movementType,
    charge_to_account: shipment.accountNumber,
    ...(shipment.orderId === null ? {} : { order_id: shipment.orderId }),
  }
}

/** Surcharges are listed only if there are any. */
export function surchargesOf({
  handlingCents,
  securityCents = 0,
}: {
  handlingCents: number
  securityCents?: number
}) {
  return {
    ...(handlingCents > 0 ? { manual_handling_surcharge: dollars(handlingCents) } : {}),
    ...(securityCents > 0 ? { security_surcharge: dollars(securityCents) } : {}),
  }
}

function itemAnswer(state: State, shipment: Shipment, item: Item, sealed: boolean) {
  const { measures, tracking, cost } = item
  const { status } = updatesOf(shipment, item, state.clock.nowMs())
  return {
    weight: measures.weightKg,
    ...(measures.lengthCm === null
      ? {}
      : { length: measures.lengthCm, width: measures.widthCm, height: measures.heightCm }),
    authority_to_leave: item.authorityToLeave,
    safe_drop_enabled: item.safeDropEnabled,
    allow_partial_delivery: item.allowPartialDelivery,
    contains_dangerous_goods: item.dangerousGoods,
    item_id: item.itemId,
    ...(item.reference === null ? {} : { item_reference: item.reference }),
    ...(item.description === null ? {} : { item_description: item.description }),
    ...(item.packagingType === null ? {} : { packaging_type: item.packagingType }),
    ...(item.features ? { features: item.features } : {}),
    tracking_details: {
      article_id: tracking.articleId,
      consignment_id: tracking.consignmentId,
      // Known once it has a label or an order.
      ...(tracking.barcodeId !== null && (item.labelRequestId !== null || shipment.orderId !== null)
        ? { barcode_id: tracking.barcodeId }
        : {}),
    },
    product_id: item.product.productId,
    item_summary: {
      ...totalWords(cost.totalCents),
      ...surchargesOf(cost),
      status: sealed ? 'Sealed' : status,
    },
    ...labelOf(state, item),
  }
}

function labelOf({ labels, clock }: State, { labelRequestId }: Item) {
  const request = labels.get(labelRequestId ?? '')
  if (!request || request.failed || request.readyMs > clock.nowMs()) return {}
  return { label: { status: 'Available', label_creation_date: labelWords(request.readyMs) } }
}
