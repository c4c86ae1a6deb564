import type { OwnTexts } from '../account/account.ts'
import type { MessageTextName, TrackingTextName } from '../values.ts'
import type { MessageKind } from './message.ts'

/** What a placeholder such as `{{order}}` stands for, and an example. */
export const PLACEHOLDERS = {
  brand: { meaning: 'Your brand', example: 'Wattle & Co' },
  store: { meaning: 'The store', example: 'Fitzroy' },
  order: { meaning: 'The order number', example: 'WC-10471' },
  first_name: { meaning: 'The customer’s first name', example: 'Ada' },
  window: { meaning: 'When it arrives; “soon” if we can’t say', example: 'today, 2 – 4:30 pm' },
  link: { meaning: 'The address of the page', example: `https://go.example.com/track/${'x'.repeat(48)}` },
  parcels: { meaning: 'How many parcels, out of how many', example: '2 of 3 parcels' },
  are: { meaning: '“is” or “are”, to match the parcels', example: 'are' },
  have: { meaning: '“has” or “have”, to match the parcels', example: 'have' },
  arrive: { meaning: '“arrives” or “arrive”, to match the parcels', example: 'arrive' },
  them: { meaning: '“it” or “them”, to match the parcels', example: 'them' },
  courier: { meaning: 'The courier’s first name; “A courier” if we don’t know it', example: 'Sam' },
} as const satisfies Record<string, { meaning: string; example: string }>
export type Placeholder = keyof typeof PLACEHOLDERS
export type Values = Readonly<Partial<Record<Placeholder, string>>>

export const EXAMPLE_VALUES: Values = Object.fromEntries(
  Object.entries(PLACEHOLDERS).map(([name, { example }]) => [name, example]),
)

/** Fills the placeholders in one pass, so that no value is read as a template. One without a value becomes empty. */
export function fillTemplate(template: string, values: Values): string {
  return template.replace(PLACEHOLDER, (_, name: string) =>
    Object.hasOwn(values, name) ? (values[name as Placeholder] ?? '') : '',
  )
}

/** `{{order}}`, with or without blanks inside. */
export const PLACEHOLDER = /\{\{ *([a-z_]+) *\}\}/g

type Template = {
  title: string
  placeholders: readonly Placeholder[]
  sms: string
  subject: string
  body: string
}

const COMMON = ['brand', 'store', 'order', 'first_name', 'link'] as const
const TIMED = [...COMMON, 'window'] as const
const PART = ['parcels', 'are', 'have', 'arrive', 'them'] as const

const letter = (sentence: string): string =>
  `Hello {{first_name}},\n\n${sentence}\n\nTrack it: {{link}}\n\n{{brand}}\n{{store}}`

/** Our texts of the messages to customers, and the placeholders that each may have. */
export const MESSAGE_TEMPLATES: Readonly<Record<MessageTextName, Template>> = {
  booked: {
    title: 'booked',
    placeholders: TIMED,
    sms: '{{brand}}: {{order}} arrives {{window}}. Track it: {{link}}',
    subject: '{{brand}}: {{order}} arrives {{window}}',
    body: letter('Your order {{order}} arrives {{window}}.'),
  },
  rebooked: {
    title: 'booked again',
    placeholders: TIMED,
    sms: '{{brand}}: change of plan: {{order}} now arrives {{window}}. {{link}}',
    subject: '{{brand}}: {{order}} now arrives {{window}}',
    body: letter('Your delivery has changed. Order {{order}} now arrives {{window}}.'),
  },
  collected: {
    title: 'on its way',
    placeholders: TIMED,
    sms: '{{brand}}: {{order}} is on its way and arrives {{window}}. {{link}}',
    subject: '{{brand}}: {{order}} is on its way',
    body: letter('Your order {{order}} is on its way and arrives {{window}}.'),
  },
  collected_in_part: {
    title: 'partly on its way',
    placeholders: [...TIMED, ...PART],
    sms: '{{brand}}: {{parcels}} of {{order}} {{arrive}} {{window}}, the rest later. {{link}}',
    subject: '{{brand}}: {{parcels}} of {{order}} {{are}} on the way',
    body: letter(
      '{{parcels}} of your order {{order}} {{are}} on the way and {{arrive}} {{window}}. The rest will follow.',
    ),
  },
  delivered: {
    title: 'delivered',
    placeholders: COMMON,
    sms: '{{brand}}: {{order}} has been delivered. {{link}}',
    subject: '{{brand}}: {{order}} has been delivered',
    body: letter('Your order {{order}} has been delivered.'),
  },
  delivered_in_part: {
    title: 'partly delivered',
    placeholders: [...COMMON, ...PART],
    sms: '{{brand}}: {{parcels}} of {{order}} {{have}} been delivered. The rest will follow. {{link}}',
    subject: '{{brand}}: {{parcels}} of {{order}} {{have}} been delivered',
    body: letter('{{parcels}} of your order {{order}} {{have}} been delivered. The rest will follow.'),
  },
  supply_refused: {
    title: 'not delivered: no ID',
    placeholders: COMMON,
    sms: '{{brand}}: {{order}} goes back to {{store}}: an adult must show photo ID. {{link}}',
    subject: '{{brand}}: {{order}} could not be delivered',
    body: letter(
      'We could not hand over your order {{order}}, so it is going back to {{store}}. An adult must show photo ID to receive it. Contact the store to have it delivered again.',
    ),
  },
  pickup_booked: {
    title: 'collection booked',
    placeholders: TIMED,
    sms: '{{brand}}: a courier collects {{order}}, due at {{store}} {{window}}. {{link}}',
    subject: '{{brand}}: a courier will collect {{order}}',
    body: letter('A courier will collect {{order}} from you and bring it to {{store}} {{window}}.'),
  },
  pickup_rebooked: {
    title: 'collection booked again',
    placeholders: TIMED,
    sms: '{{brand}}: change of plan: {{order}} is due at {{store}} {{window}}. {{link}}',
    subject: '{{brand}}: {{order}} has a new courier',
    body: letter(
      'The collection has changed. A courier will collect {{order}} from you and bring it to {{store}} {{window}}.',
    ),
  },
  pickup_collected: {
    title: 'collected from the customer',
    placeholders: TIMED,
    sms: '{{brand}}: {{order}} is on its way to {{store}}. {{link}}',
    subject: '{{brand}}: {{order}} has been collected',
    body: letter('The courier has {{order}} and is bringing it to {{store}}.'),
  },
  pickup_collected_in_part: {
    title: 'partly collected from the customer',
    placeholders: [...TIMED, ...PART],
    sms: '{{brand}}: {{parcels}} of {{order}} {{are}} on the way to {{store}}. {{link}}',
    subject: '{{brand}}: {{order}} has been collected',
    body: letter('The courier has {{parcels}} of {{order}} and is bringing {{them}} to {{store}}.'),
  },
  pickup_delivered: {
    title: 'arrived at the store',
    placeholders: COMMON,
    sms: '{{brand}}: {{order}} has arrived at {{store}}. {{link}}',
    subject: '{{brand}}: {{order}} has arrived',
    body: letter('{{order}} has arrived at {{store}}.'),
  },
  link: {
    title: 'booking link',
    // Without the order number: it distinguishes the customer from other people who have the link.
    placeholders: ['brand', 'store', 'first_name', 'link'],
    sms: "{{brand}}: You can have your order from {{store}} delivered. Choose how: {{link}} (you'll need your order number)",
    subject: '{{brand}}: have your order delivered',
    body: "Hello {{first_name}},\n\nYou can have your order from {{store}} delivered. Choose how: {{link}} (you'll need your order number)\n\n{{brand}}\n{{store}}",
  },
}

type Sentence = { title: string; placeholders: readonly Placeholder[]; text: string }
const sentence = (title: string, text: string, ...more: Placeholder[]): Sentence => ({
  title,
  placeholders: ['brand', 'store', ...more],
  text,
})

/** Our sentences on the tracking page. */
export const TRACKING_TEMPLATES: Readonly<Record<TrackingTextName, Sentence>> = {
  placed: sentence('ordered', 'We have your order.'),
  booked: sentence('booked', 'A courier is arranged.'),
  assigned: sentence('courier assigned', '{{courier}} will bring it.', 'courier'),
  approaching: sentence('courier at the store', '{{courier}} is at the store.', 'courier'),
  collected: sentence('on its way', 'It is on its way.'),
  delivered: sentence('delivered', 'It is delivered.'),
  reassigned: sentence('new courier', 'A new courier is coming.'),
  pending_return: sentence('going back', 'It is on its way back to the store.'),
  returned: sentence('returned', 'It is back at the store.'),
  cancelled: sentence('cancelled', 'This delivery was cancelled.'),
  pickup_placed: sentence('collection ordered', 'We know what to collect.'),
  pickup_assigned: sentence(
    'collection: courier assigned',
    '{{courier}} will collect it from you.',
    'courier',
  ),
  pickup_approaching: sentence('collection: courier at the door', '{{courier}} is at your door.', 'courier'),
  pickup_collected: sentence('on its way to the store', 'It is on its way to the store.'),
  pickup_delivered: sentence('arrived at the store', 'It has arrived at the store.'),
  pickup_pending_return: sentence('collection: going back', 'It is on its way back to you.'),
  pickup_returned: sentence('collection: brought back', 'It was brought back to you.'),
}

export type TextChannel = MessageKind | 'tracking_page'
export const CHANNEL_NAMES: Readonly<Record<TextChannel, string>> = {
  sms: 'SMS',
  email: 'email',
  tracking_page: 'tracking page’s sentence',
}

/** One text that a merchant may write: `part` of an email, null elsewhere. */
export type TextPlace =
  | { channel: 'sms'; name: MessageTextName; part: null }
  | { channel: 'email'; name: MessageTextName; part: 'subject' | 'body' }
  | { channel: 'tracking_page'; name: TrackingTextName; part: null }

export function getOurText(place: TextPlace): string {
  if (place.channel === 'tracking_page') return TRACKING_TEMPLATES[place.name].text
  return MESSAGE_TEMPLATES[place.name][place.part ?? 'sms']
}

export function getTitle({ channel, name }: TextPlace): string {
  return channel === 'tracking_page' ? TRACKING_TEMPLATES[name].title : MESSAGE_TEMPLATES[name].title
}

/** A subject has no link: nobody could open it. */
export function listPlaceholders({ channel, name, part }: TextPlace): readonly Placeholder[] {
  if (channel === 'tracking_page') return TRACKING_TEMPLATES[name].placeholders
  const { placeholders } = MESSAGE_TEMPLATES[name]
  return part === 'subject' ? placeholders.filter((known) => known !== 'link') : placeholders
}

/** A message as stored. `subject` is null for an SMS. Plain text; `{link}` stands for an address of ours. */
export type MessageText = { subject: string | null; body: string }

/** The message with its values: the merchant's own text where there is one, ours elsewhere. */
export function renderMessage(
  kind: MessageKind,
  name: MessageTextName,
  own: Pick<OwnTexts, MessageKind>,
  values: Values,
): MessageText {
  const ours = MESSAGE_TEMPLATES[name]
  if (kind === 'sms') return { subject: null, body: toLine(fillTemplate(own.sms[name] ?? ours.sms, values)) }
  const { subject = ours.subject, body = ours.body } = own.email[name] ?? {}
  return {
    subject: toLine(fillTemplate(subject, values)),
    body: `${fillTemplate(body, values).trimEnd()}\n`,
  }
}

/** A sentence of the tracking page, in the same way. */
export function renderSentence(
  name: TrackingTextName,
  own: Pick<OwnTexts, 'trackingPage'>,
  values: Values,
): string {
  return fillTemplate(own.trackingPage[name] ?? TRACKING_TEMPLATES[name].text, values)
}

/**
 * One line. The SMS alphabet has no en dash: one would cut an SMS from 160 characters to 70 (3GPP TS 23.038). Nor has
 * ASCII, which subjects use.
 */
function toLine(text: string): string {
  return text.replaceAll(' – ', ' - ').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}
