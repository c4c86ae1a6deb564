import type { Account } from './accounts.ts'
import { articleId, barcodeId } from './ids.ts'
import { type ItemCost, itemCost, shipmentCost } from './prices.ts'
import type { Item, ItemDraft, Shipment, ShipmentDraft, State } from './state.ts'

/** The price of each item of a draft, the first at its full freight. */
export function costsOf({ from, to, items }: ShipmentDraft): ItemCost[] {
  const interstate = from.state !== to.state
  return items.map(({ product, measures, coverDollars }, index) =>
    itemCost(product, measures, { interstate, first: index === 0, coverDollars }),
  )
}

/** Stores a new shipment without comparing its references to older ones: there is no idempotency. */
export function storeShipment(state: State, account: Account, draft: ShipmentDraft): Shipment {
  const nowMs = state.clock.nowMs()
  const shipment: Shipment = {
    ...draft,
    shipmentId: state.ids.thing(),
    accountNumber: account.accountNumber,
    createdMs: nowMs,
    modifiedMs: nowMs,
    orderId: null,
    orderedMs: null,
    inProgress: false,
    journey: 'delivered',
    ...itemsOf(state, account, draft, []),
  }
  state.shipments.set(shipment.shipmentId, shipment)
  follow(state, shipment)
  state.ledger.write('shipment_created', ledgerEntryOf(shipment))
  return shipment
}

/** Items that keep their id keep their articles; items that are left out are removed. */
export function changeShipment(
  state: State,
  account: Account,
  shipment: Shipment,
  draft: ShipmentDraft,
): void {
  unfollow(state, shipment)
  Object.assign(shipment, draft, itemsOf(state, account, draft, shipment.items))
  shipment.modifiedMs = state.clock.nowMs()
  follow(state, shipment)
  state.ledger.write('shipment_updated', ledgerEntryOf(shipment))
}

export function dropShipment(state: State, shipment: Shipment): void {
  unfollow(state, shipment)
  state.shipments.delete(shipment.shipmentId)
  state.ledger.write('shipment_deleted', ledgerEntryOf(shipment))
}

/** The facts that tests count by. */
export function ledgerEntryOf(shipment: Shipment) {
  return {
    shipment_id: shipment.shipmentId,
    account_number: shipment.accountNumber,
    shipment_reference: shipment.reference,
    sender_references: shipment.senderReferences,
    article_ids: shipment.items.map(({ tracking }) => tracking.articleId),
  }
}

function itemsOf(
  state: State,
  account: Account,
  draft: ShipmentDraft,
  before: readonly Item[],
): Pick<Shipment, 'items' | 'cost'> {
  const costs = costsOf(draft)
  const consignmentId = before[0]?.tracking.consignmentId ?? state.ids.consignment(account)
  const used = before.map(({ tracking }) => tracking.articleId)
  const fresh = (item: ItemDraft) => {
    let number = 1
    while (used.includes(articleId(consignmentId, item.product, number))) number += 1
    const article = articleId(consignmentId, item.product, number)
    used.push(article)
    const barcode = barcodeId(article, item.product, draft.to.postcode, state.clock.nowMs())
    return { articleId: article, consignmentId, barcodeId: barcode }
  }
  const items = draft.items.map((item, index): Item => {
    const same = before.find(({ itemId }) => itemId === item.itemId)
    return {
      ...item,
      itemId: same?.itemId ?? state.ids.thing(),
      tracking: same?.tracking ?? item.tracking ?? fresh(item),
      ownTracking: same?.ownTracking ?? item.tracking !== null,
      cost: costs[index]!,
      // A label shows the data from the time when it was created.
      labelRequestId: null,
      scans: same?.scans ?? [],
    }
  })
  return { items, cost: shipmentCost(account.network, costs) }
}

function follow({ tracked }: State, shipment: Shipment): void {
  for (const id of idsOf(shipment)) tracked.set(id, shipment)
}

function unfollow({ tracked }: State, shipment: Shipment): void {
  for (const id of idsOf(shipment)) tracked.delete(id)
}

function idsOf({ items }: Shipment): string[] {
  return items.flatMap(({ tracking: { articleId, consignmentId, barcodeId } }) =>
    [articleId, consignmentId, barcodeId].filter((id) => id !== null),
  )
}
