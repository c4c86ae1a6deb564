import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MESSAGE_TEXTS, TRACKING_TEXTS } from '../values.ts'
import {
  EXAMPLE_VALUES,
  fillTemplate,
  getOurText,
  listPlaceholders,
  MESSAGE_TEMPLATES,
  renderMessage,
  renderSentence,
  type TextPlace,
} from './message-templates.ts'
import { countSmsParts } from './sms-parts.ts'
import { lacksLink, listTemplateMistakes } from './template-mistakes.ts'

const NOTHING = { sms: {}, email: {}, trackingPage: {} }
const PLACES: readonly TextPlace[] = [
  ...MESSAGE_TEXTS.flatMap((name): TextPlace[] => [
    { channel: 'sms', name, part: null },
    { channel: 'email', name, part: 'subject' },
    { channel: 'email', name, part: 'body' },
  ]),
  ...TRACKING_TEXTS.map((name): TextPlace => ({ channel: 'tracking_page', name, part: null })),
]

test('our own texts have no mistakes', () => {
  for (const place of PLACES)
    assert.deepEqual(listTemplateMistakes(getOurText(place), place), [], JSON.stringify(place))
})

test('our SMS with the example values are in the SMS alphabet; all about a delivery fit into one', () => {
  for (const name of MESSAGE_TEXTS) {
    const { encoding, parts } = countSmsParts(renderMessage('sms', name, NOTHING, EXAMPLE_VALUES).body)
    assert.equal(encoding, 'GSM-7', name)
    if (name !== 'link') assert.equal(parts, 1, name)
  }
})

test('the merchant’s text replaces ours, part by part', () => {
  const own = {
    sms: { booked: '{{ order }} – {{window}}' },
    email: { booked: { body: 'Hi {{first_name}}\n\n' } },
    trackingPage: { assigned: '{{courier}} from {{brand}} brings it.' },
  }
  assert.equal(renderMessage('sms', 'booked', own, EXAMPLE_VALUES).body, 'WC-10471 - today, 2 - 4:30 pm')
  assert.deepEqual(renderMessage('email', 'booked', own, EXAMPLE_VALUES), {
    subject: 'Wattle & Co: WC-10471 arrives today, 2 - 4:30 pm',
    body: 'Hi Ada\n',
  })
  assert.equal(
    renderMessage('sms', 'delivered', own, { brand: 'B', order: 'A', link: 'L' }).body,
    'B: A has been delivered. L',
  )
  assert.equal(renderSentence('assigned', own, EXAMPLE_VALUES), 'Sam from Wattle & Co brings it.')
  assert.equal(renderSentence('booked', own, EXAMPLE_VALUES), 'A courier is arranged.')
})

test('values are never read as templates, and an SMS or subject stays on one line', () => {
  const order = '{{link}}\r\nBcc: x@y'
  assert.equal(fillTemplate('{{order}}!', { order, link: 'L' }), `${order}!`)
  assert.equal(fillTemplate('{{order}} {{constructor}}', {}), ' ')
  const { body } = renderMessage('sms', 'delivered', NOTHING, { brand: 'B', order, link: 'L' })
  assert.equal(body, 'B: {{link}} Bcc: x@y has been delivered. L')
})

test('an unknown placeholder is named with the nearest known one, and each mistake is found', () => {
  const sms: TextPlace = { channel: 'sms', name: 'delivered', part: null }
  const rows: [string, TextPlace, string[]][] = [
    ['{{order}} {{link}}', sms, []],
    ['{{ordr}}', sms, ['{{ordr}} is not a placeholder of this text → Did you mean "order"?']],
    [
      '{{window}}',
      sms,
      [
        '{{window}} is not a placeholder of this text → Use {{brand}}, {{store}}, {{order}}, {{first_name}}, {{link}}',
      ],
    ],
    [
      '{{ordr}} {link}',
      sms,
      [
        '{{ordr}} is not a placeholder of this text → Did you mean "order"?',
        'it has a brace that is not part of a placeholder → Write placeholders as {{order}}',
      ],
    ],
    [
      '{{Order}}',
      sms,
      ['it has a brace that is not part of a placeholder → Write placeholders as {{order}}'],
    ],
  ]
  for (const [text, place, expected] of rows)
    assert.deepEqual(
      listTemplateMistakes(text, place).map(({ wrong, remedy }) => `${wrong} → ${remedy}`),
      expected,
    )
})

test('a link is missed where ours has one, and no subject may have it', () => {
  assert.equal(lacksLink('Hi', { channel: 'sms', name: 'booked', part: null }), true)
  assert.equal(lacksLink('Hi {{link}}', { channel: 'sms', name: 'booked', part: null }), false)
  assert.equal(lacksLink('Hi', { channel: 'email', name: 'booked', part: 'subject' }), false)
  assert.ok(!listPlaceholders({ channel: 'email', name: 'booked', part: 'subject' }).includes('link'))
  // The order number tells the customer from other people who have the link.
  assert.ok(!MESSAGE_TEMPLATES.link.placeholders.includes('order'))
})
