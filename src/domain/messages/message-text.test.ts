import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exampleAccount } from '../../../test/demo-account.ts'
import { deliveryRequest } from '../../../test/requests.ts'
import type { Article } from '../delivery/delivery.ts'
import { resolveDelivery } from '../quoting/resolve/resolve-delivery.ts'
import type { State } from '../values.ts'
import { PROGRESS_TEMPLATES } from './message.ts'
import { formatDeliveryMessage, formatLinkMessage } from './message-text.ts'
import { plain } from './plain-text.ts'

const account = exampleAccount('demo-account')
const store = account.storeByReference.get('fitzroy')!
const resolved = resolveDelivery(account, deliveryRequest, {
  sight: () => true,
  nowMs: Date.parse('2026-11-24T10:00:00+11:00'),
})
if ('issues' in resolved) throw new Error(JSON.stringify(resolved.issues))
const { content } = resolved
const window = {
  fromMs: Date.parse('2026-11-24T13:00:00+11:00'),
  toMs: Date.parse('2026-11-24T16:30:00+11:00'),
}
const facts = {
  delivery: { reference: 'A-17', window, content, articles: [] as readonly Article[] },
  store,
  nowMs: Date.parse('2026-11-24T10:00:00+11:00'),
}

test('windows are in the customer’s local time, with the nearest name of the day', () => {
  const cases: [State, string, string, string][] = [
    ['VIC', '2026-11-24T13:00+11:00', '2026-11-24T16:30+11:00', 'today, 1 - 4:30 pm'],
    ['WA', '2026-11-24T13:00+11:00', '2026-11-24T16:30+11:00', 'today, 10 am - 1:30 pm'],
    ['QLD', '2026-11-25T08:00+10:00', '2026-11-25T12:00+10:00', 'tomorrow, 8 am - noon'],
    ['NSW', '2026-12-01T08:00+11:00', '2026-12-01T18:00+11:00', 'Tuesday 1 December, 8 am - 6 pm'],
    [
      'NSW',
      '2026-12-31T22:00+11:00',
      '2027-01-01T02:00+11:00',
      'Thursday 31 December, 10 pm - Friday 1 January 2027, 2 am',
    ],
  ]
  for (const [state, from, to, words] of cases) {
    const delivery = { ...facts.delivery, window: { fromMs: Date.parse(from), toMs: Date.parse(to) } }
    const { body } = formatDeliveryMessage('sms', 'booked', {
      ...facts,
      delivery: { ...delivery, content: at(state) },
    })
    assert.equal(body, `Wattle & Co: A-17 arrives ${words}. Track it: {link}`)
  }
})

const at = (state: State) => ({ ...content, destination: { ...content.destination, state } })

/** The part of the SMS alphabet that our texts use. Any other character cuts an SMS from 160 characters to 70. */
const GSM_ALPHABET = /^[A-Za-z0-9 .,:;&/_-]*$/

test('every direction and message type has a one-line SMS and an email', () => {
  const parcels = content.parcels.slice(0, 1).map((parcel) => ({ ...parcel, reference: 'P1', quantity: 12 }))
  const partly = [{ parcelReference: 'P1', articleIds: [], leftBehind: 2 }]
  const modes = ['store_to_door', 'customer_pickup'] as const
  for (const [deliveryMode, articles] of modes.flatMap((mode) => [
    [mode, []] as const,
    [mode, partly] as const,
  ])) {
    const delivery = { ...facts.delivery, articles, content: { ...content, deliveryMode, parcels } }
    const input = { ...facts, delivery }
    for (const template of PROGRESS_TEMPLATES) {
      const sms = formatDeliveryMessage('sms', template, input)
      assert.equal(sms.subject, null)
      assert.match(sms.body, /^Wattle & Co: [^\r\n]*A-17[^\r\n]* \{link\}$/)
      const sent = sms.body.replace('{link}', `https://go.example.com/track/${'t'.repeat(48)}`)
      assert.ok(sent.length <= 160, `${sent.length}: ${sent}`)
      assert.match(sent, GSM_ALPHABET)
      const email = formatDeliveryMessage('email', template, input)
      assert.match(email.subject ?? '', /^Wattle & Co: .*(?:A-17|today, 1 - 4:30 pm)/)
      assert.match(email.body, /^Hello Ada,\n\n.*A-17.*\.\n\nTrack it: \{link\}\n\nWattle & Co\nFitzroy\n$/)
    }
  }
})

test('a message without a window promises no time', () => {
  const vague = { ...facts, delivery: { ...facts.delivery, window: null } }
  for (const template of PROGRESS_TEMPLATES)
    assert.doesNotMatch(formatDeliveryMessage('sms', template, vague).body, /null| {2}| \./)
  assert.match(formatDeliveryMessage('sms', 'collected', vague).body, /arrives soon\./)
})

test('a booking link’s message has neither the order number nor the address', () => {
  for (const kind of ['sms', 'email'] as const) {
    const { body } = formatLinkMessage(kind, { firstName: 'Ada', store })
    assert.equal(body.split('{link}').length, 2)
    assert.doesNotMatch(body, /https?:/)
  }
})

test('typed text becomes one plain line without links', () => {
  const cases: [string, string][] = [
    ['A-17', 'A-17'],
    ['  Ada\r\nBcc: x@y ', 'Ada Bcc: x@y'],
    ['https://evil.example/x', 'evil example/x'],
    ['www.evil.com', 'www evil com'],
    ['tel:0491570156', '0491570156'],
    ['evil。com', 'evil com'],
    ['Ada\u202Egnp.exe', 'Ada gnp exe'],
    ['{link}', 'link'],
    ['No. 5', 'No. 5'],
    ['Nguyễn 李', 'Nguyễn 李'],
  ]
  for (const [typed, shown] of cases) assert.equal(plain(typed), shown)
  const tricky = fc.string({
    unit: fc.constantFrom(
      'h',
      't',
      'p',
      's',
      ':',
      '/',
      '.',
      'a',
      '1',
      '{',
      '}',
      '\n',
      '\r',
      '\0',
      '\u202e',
      '。',
      ' ',
      '@',
    ),
  })
  fc.assert(
    fc.property(tricky, (typed) => {
      const shown = plain(typed)
      assert.doesNotMatch(
        shown,
        /[\p{Cc}\p{Cf}{}]|\/\/|[a-z]:\S|[.。][a-z\d]|^\s|\s$/u,
        JSON.stringify(typed),
      )
      assert.equal(plain(shown), shown)
    }),
    { numRuns: 2_000 },
  )
})

test('the customer’s message counts the parcels left at pickup', () => {
  const parcels = content.parcels.slice(0, 1).map((parcel) => ({ ...parcel, reference: 'P1', quantity: 3 }))
  const wordsOf = (leftBehind: number, template: 'collected' | 'delivered', kind: 'sms' | 'email' = 'sms') =>
    formatDeliveryMessage(kind, template, {
      ...facts,
      delivery: {
        ...facts.delivery,
        content: { ...content, parcels },
        articles: [{ parcelReference: 'P1', articleIds: [], leftBehind }],
      },
    })
  assert.deepEqual(
    [wordsOf(1, 'collected').body, wordsOf(2, 'collected').body, wordsOf(1, 'delivered').body],
    [
      'Wattle & Co: 2 of 3 parcels of A-17 arrive today, 1 - 4:30 pm, the rest later. {link}',
      'Wattle & Co: 1 of 3 parcels of A-17 arrives today, 1 - 4:30 pm, the rest later. {link}',
      'Wattle & Co: 2 of 3 parcels of A-17 have been delivered. The rest will follow. {link}',
    ],
  )
  const letter = wordsOf(2, 'collected', 'email')
  assert.equal(letter.subject, 'Wattle & Co: 1 of 3 parcels of A-17 is on the way')
  assert.match(
    letter.body,
    /1 of 3 parcels of your order A-17 is on the way and arrives today, .*\. The rest will follow\./,
  )
})
