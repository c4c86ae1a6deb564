import type { Store } from '../account/account.ts'
import { formatWindowAt } from '../calendar/format-window-at.ts'
import { windowZoneOfDelivery } from '../calendar/window-zone.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { getZoneName } from '../geo/states.ts'
import { listLeftBehind } from '../own-network/left-behind.ts'
import type { MessageKind, ProgressTemplate } from './message.ts'
import { plain } from './plain-text.ts'

/** A message as stored. `subject` is null for an SMS. Plain text; `{link}` stands for an address of ours. */
export type MessageText = { subject: string | null; body: string }

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
  const { firstName } = delivery.content.customer
  const values = {
    reference: plain(delivery.reference),
    store: store.name,
    when: formatWhen(facts),
    part: findPart(delivery),
  }
  const { sms, subject, letter } = FORMATS[delivery.content.deliveryMode][template]
  if (kind === 'sms')
    return { subject: null, body: oneLine(`${store.brand.name}: ${sms(values)} ${LINK_MARK}`) }
  return {
    subject: oneLine(`${store.brand.name}: ${subject(values)}`),
    body: letterTo(firstName, [letter(values), `Track it: ${LINK_MARK}`], store),
  }
}

/** The message to a customer who may choose how they receive a click-and-collect order. */
export function formatLinkMessage(
  kind: MessageKind,
  { firstName, store }: { firstName: string; store: Pick<Store, 'name' | 'brand'> },
): MessageText {
  // Without the order number: it distinguishes the customer from other people who have the link.
  const brand = store.brand.name
  const sentence = `You can have your order from ${store.name} delivered. Choose how: ${LINK_MARK} (you'll need your order number)`
  if (kind === 'sms') return { subject: null, body: `${brand}: ${sentence}` }
  return { subject: `${brand}: have your order delivered`, body: letterTo(firstName, [sentence], store) }
}

/**
 * `when` is `today, 2 – 8 pm`, or null when we cannot promise a time. `part` is null unless the driver left some of the
 * parcels at pickup.
 */
type MessageFacts = { reference: string; store: string; when: string | null; part: Part | null }
/** `2 of 3 parcels`, with their verbs. */
type Part = { collected: string; are: string; have: string; arrive: string; them: string }
type Formats = Record<'sms' | 'subject' | 'letter', (facts: MessageFacts) => string>

/** The law asks for an adult with ID, whichever way the goods go. */
const ADULT_NEEDED: Formats = {
  sms: ({ reference, store }) => `${reference} goes back to ${store}: an adult must show photo ID.`,
  subject: ({ reference }) => `${reference} could not be delivered`,
  letter: ({ reference, store }) =>
    `We could not hand over your order ${reference}, so it is going back to ${store}. An adult must show photo ID to receive it. Contact the store to have it delivered again.`,
}

const FORMATS: Readonly<Record<Delivery['content']['deliveryMode'], Record<ProgressTemplate, Formats>>> = {
  store_to_door: {
    booked: {
      sms: ({ reference, when }) => `${reference} arrives ${when ?? 'soon'}. Track it:`,
      subject: ({ reference, when }) => `${reference} arrives ${when ?? 'soon'}`,
      letter: ({ reference, when }) => `Your order ${reference} arrives ${when ?? 'soon'}.`,
    },
    rebooked: {
      sms: ({ reference, when }) => `change of plan: ${reference} now arrives ${when ?? 'soon'}.`,
      subject: ({ reference, when }) =>
        when ? `${reference} now arrives ${when}` : `${reference} has a new courier`,
      letter: ({ reference, when }) =>
        `Your delivery has changed. Order ${reference} now arrives ${when ?? 'soon'}.`,
    },
    collected: {
      sms: ({ reference, when, part }) =>
        part
          ? `${part.collected} of ${reference} ${part.arrive} ${when ?? 'soon'}, the rest later.`
          : `${reference} is on its way and arrives ${when ?? 'soon'}.`,
      subject: ({ reference, part }) =>
        part ? `${part.collected} of ${reference} ${part.are} on the way` : `${reference} is on its way`,
      letter: ({ reference, when, part }) =>
        part
          ? `${part.collected} of your order ${reference} ${part.are} on the way and ${part.arrive} ${when ?? 'soon'}. The rest will follow.`
          : `Your order ${reference} is on its way and arrives ${when ?? 'soon'}.`,
    },
    delivered: {
      sms: ({ reference, part }) =>
        part
          ? `${part.collected} of ${reference} ${part.have} been delivered. The rest will follow.`
          : `${reference} has been delivered.`,
      subject: ({ reference, part }) =>
        part
          ? `${part.collected} of ${reference} ${part.have} been delivered`
          : `${reference} has been delivered`,
      letter: ({ reference, part }) =>
        part
          ? `${part.collected} of your order ${reference} ${part.have} been delivered. The rest will follow.`
          : `Your order ${reference} has been delivered.`,
    },
    supply_refused: ADULT_NEEDED,
  },
  customer_pickup: {
    booked: {
      sms: ({ reference, store, when }) =>
        `a courier collects ${reference}, due at ${store} ${when ?? 'soon'}.`,
      subject: ({ reference }) => `a courier will collect ${reference}`,
      letter: ({ reference, store, when }) =>
        `A courier will collect ${reference} from you and bring it to ${store} ${when ?? 'soon'}.`,
    },
    rebooked: {
      sms: ({ reference, store, when }) =>
        `change of plan: ${reference} is due at ${store} ${when ?? 'soon'}.`,
      subject: ({ reference }) => `${reference} has a new courier`,
      letter: ({ reference, store, when }) =>
        `The collection has changed. A courier will collect ${reference} from you and bring it to ${store} ${when ?? 'soon'}.`,
    },
    collected: {
      sms: ({ reference, store, part }) =>
        part
          ? `${part.collected} of ${reference} ${part.are} on the way to ${store}.`
          : `${reference} is on its way to ${store}.`,
      subject: ({ reference }) => `${reference} has been collected`,
      letter: ({ reference, store, part }) =>
        part
          ? `The courier has ${part.collected} of ${reference} and is bringing ${part.them} to ${store}.`
          : `The courier has ${reference} and is bringing it to ${store}.`,
    },
    delivered: {
      sms: ({ reference, store }) => `${reference} has arrived at ${store}.`,
      subject: ({ reference }) => `${reference} has arrived`,
      letter: ({ reference, store }) => `${reference} has arrived at ${store}.`,
    },
    supply_refused: ADULT_NEEDED,
  },
}

function findPart({ content, articles }: DeliveryFacts['delivery']): Part | null {
  const left = sumQuantities(listLeftBehind(content.parcels, articles))
  if (left === 0) return null
  const all = sumQuantities(content.parcels)
  const collected = `${all - left} of ${all} parcels`
  return all - left === 1
    ? { collected, are: 'is', have: 'has', arrive: 'arrives', them: 'it' }
    : { collected, are: 'are', have: 'have', arrive: 'arrive', them: 'them' }
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

/**
 * The SMS alphabet has no en dash: one would cut an SMS from 160 characters to 70 (3GPP TS 23.038). Nor has
 * ASCII, which subjects use.
 */
function oneLine(text: string): string {
  return text.replaceAll(' – ', ' - ')
}

function letterTo(firstName: string, sentences: string[], store: Pick<Store, 'name' | 'brand'>): string {
  return `Hello ${plain(firstName)},\n\n${sentences.join('\n\n')}\n\n${store.brand.name}\n${store.name}\n`
}
