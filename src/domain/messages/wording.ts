import type { Store } from '../account/account.ts'
import type { Zone } from '../calendar/zone.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { MessageKind, ToldStatus } from './message.ts'
import { plain, windowInWords } from './words.ts'

/** A message as it is kept. `subject` is null for an SMS. Plain text; a link's address stands as `{link}`. */
export type Wording = { subject: string | null; body: string }

/** What stands for the address of a link until the very moment of sending: only its hash is ever stored. */
export const LINK_MARK = '{link}'

export type DeliveryFacts = {
  delivery: Pick<Delivery, 'reference' | 'window' | 'content'>
  store: Pick<Store, 'name' | 'brand'>
  /** The clock on the customer's wall. */
  zone: Zone
}

/** What a customer is told when a delivery reaches a status. */
export function deliveryWording(kind: MessageKind, template: ToldStatus, facts: DeliveryFacts): Wording {
  const { delivery, store } = facts
  const reference = plain(delivery.reference)
  const mode = delivery.content.deliveryMode
  const sentence = SENTENCES[mode][template]({
    reference,
    store: store.name,
    when: delivery.window ? ` ${windowInWords(delivery.window, facts.zone)}` : '',
  })
  const brand = store.brand.name
  if (kind === 'sms') return { subject: null, body: `${brand}: ${sentence}` }
  return {
    subject: `${brand}: ${SUBJECTS[mode][template](reference)}`,
    body: letter(delivery.content.customer.firstName, sentence, store),
  }
}

/** What a customer is told who may choose how a click-and-collect order comes to them. */
export function linkWording(
  kind: MessageKind,
  { firstName, store }: { firstName: string; store: Pick<Store, 'name' | 'brand'> },
): Wording {
  // The order's number is not in it: it is what tells the customer from whoever else has the link.
  const brand = store.brand.name
  const sentence = `You can have your order from ${store.name} delivered. Choose how: ${LINK_MARK} (keep your order number at hand)`
  if (kind === 'sms') return { subject: null, body: `${brand}: ${sentence}` }
  return { subject: `${brand}: have your order delivered`, body: letter(firstName, sentence, store) }
}

type Words = { reference: string; store: string; when: string }

/** One sentence for each direction and moment. `when` begins with a space, or is empty. */
const SENTENCES: Readonly<
  Record<Delivery['content']['deliveryMode'], Record<ToldStatus, (words: Words) => string>>
> = {
  store_to_door: {
    booked: ({ reference, when }) => `Your order ${reference} is booked for delivery${when}.`,
    collected: ({ reference, when }) => `Your order ${reference} is on its way. Expect it${when || ' soon'}.`,
    delivered: ({ reference }) => `Your order ${reference} has been delivered.`,
  },
  customer_pickup: {
    booked: ({ reference, store, when }) =>
      `A courier is booked to collect ${reference} from you; ${store} expects it${when || ' soon'}.`,
    collected: ({ reference, store }) =>
      `The courier has collected ${reference} and is bringing it to ${store}.`,
    delivered: ({ reference, store }) => `${reference} has arrived at ${store}.`,
  },
}

const SUBJECTS: Readonly<
  Record<Delivery['content']['deliveryMode'], Record<ToldStatus, (reference: string) => string>>
> = {
  store_to_door: {
    booked: (reference) => `your order ${reference} is booked`,
    collected: (reference) => `your order ${reference} is on its way`,
    delivered: (reference) => `your order ${reference} has been delivered`,
  },
  customer_pickup: {
    booked: (reference) => `a courier will collect ${reference}`,
    collected: (reference) => `${reference} has been collected`,
    delivered: (reference) => `${reference} has arrived`,
  },
}

function letter(firstName: string, sentence: string, store: Pick<Store, 'name' | 'brand'>): string {
  return `Hello ${plain(firstName)},\n\n${sentence}\n\n${store.brand.name}\n${store.name}\n`
}
