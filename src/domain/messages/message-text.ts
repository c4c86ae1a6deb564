import type { Store } from '../account/account.ts'
import { formatWindowAt } from '../calendar/format-window-at.ts'
import { windowZoneOfDelivery } from '../calendar/window-zone.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { getZoneName } from '../geo/states.ts'
import { listLeftBehind } from '../own-network/left-behind.ts'
import type { DeliveryMode, MessageTextName } from '../values.ts'
import type { MessageKind, ProgressTemplate } from './message.ts'
import { type MessageText, type Placeholder, renderMessage } from './message-templates.ts'
import { plain } from './plain-text.ts'

/** Placeholder for an address of ours until the moment of sending, so that no secret is ever stored. */
export const LINK_MARK = '{link}'

export type DeliveryFacts = {
  delivery: Pick<Delivery, 'reference' | 'window' | 'content' | 'articles'>
  store: Pick<Store, 'name' | 'brand' | 'zone'>
  /** Account time of rendering. */
  nowMs: number
}

/** A customer's message about the progress of a delivery, with its tracking address. */
export function formatDeliveryMessage(
  kind: MessageKind,
  template: ProgressTemplate,
  facts: DeliveryFacts,
): MessageText {
  const { delivery, store } = facts
  const { customer, deliveryMode } = delivery.content
  const part = findPart(delivery)
  const name = toTextName(template, deliveryMode, part !== null)
  return renderMessage(kind, name, store.brand.messageTexts, {
    brand: store.brand.name,
    store: store.name,
    order: plain(delivery.reference),
    first_name: plain(customer.firstName),
    window: formatWhen(facts) ?? 'soon',
    link: LINK_MARK,
    ...part,
  })
}

/** The message to a customer who may choose how they receive a click-and-collect order. */
export function formatLinkMessage(
  kind: MessageKind,
  { firstName, store }: { firstName: string; store: Pick<Store, 'name' | 'brand'> },
): MessageText {
  const { brand } = store
  const values = { brand: brand.name, store: store.name, first_name: plain(firstName), link: LINK_MARK }
  return renderMessage(kind, 'link', brand.messageTexts, values)
}

function toTextName(template: ProgressTemplate, mode: DeliveryMode, isPart: boolean): MessageTextName {
  // The law asks for an adult with ID, whichever way the goods go.
  if (template === 'supply_refused') return template
  const isPickup = mode === 'customer_pickup'
  if (template === 'collected' && isPart) return isPickup ? 'pickup_collected_in_part' : 'collected_in_part'
  if (template === 'delivered' && isPart && !isPickup) return 'delivered_in_part'
  return isPickup ? `pickup_${template}` : template
}

/** `2 of 3 parcels`, with their verbs. */
type Part = Required<Pick<Record<Placeholder, string>, 'parcels' | 'are' | 'have' | 'arrive' | 'them'>>

/** Null unless the driver left some of the parcels at pickup. */
function findPart({ content, articles }: DeliveryFacts['delivery']): Part | null {
  const left = sumQuantities(listLeftBehind(content.parcels, articles))
  if (left === 0) return null
  const all = sumQuantities(content.parcels)
  const parcels = `${all - left} of ${all} parcels`
  return all - left === 1
    ? { parcels, are: 'is', have: 'has', arrive: 'arrives', them: 'it' }
    : { parcels, are: 'are', have: 'have', arrive: 'arrive', them: 'them' }
}

function sumQuantities(rows: readonly { quantity: number }[]): number {
  return rows.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** The customer reads it at their address. */
function formatWhen({ delivery, store, nowMs }: DeliveryFacts): string | null {
  const { destination, address } = delivery.content
  const reader = getZoneName(destination.state, address.postCode)
  const clocks = { zone: windowZoneOfDelivery(delivery.content, store), reader, nowMs }
  return delivery.window && formatWindowAt(delivery.window, clocks, 'near')
}
