import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exampleAccount } from '../../../test/demo-account.ts'
import { deliveryRequest } from '../../../test/requests.ts'
import { zone } from '../calendar/zone.ts'
import { resolveDelivery } from '../quoting/resolve-delivery.ts'
import { TOLD_STATUSES } from './message.ts'
import { deliveryWording, linkWording } from './wording.ts'
import { plain, windowInWords } from './words.ts'

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
  delivery: { reference: 'A-17', window, content },
  store,
  zone: zone('Australia/Melbourne'),
}

test('windows are told by the clock on the customer’s wall', () => {
  const cases: [string, string, string, string][] = [
    [
      'Australia/Melbourne',
      '2026-11-24T13:00+11:00',
      '2026-11-24T16:30+11:00',
      'on Tuesday 24 November between 1 pm and 4:30 pm',
    ],
    [
      'Australia/Perth',
      '2026-11-24T13:00+11:00',
      '2026-11-24T16:30+11:00',
      'on Tuesday 24 November between 10 am and 1:30 pm',
    ],
    [
      'Australia/Brisbane',
      '2026-12-01T00:00+10:00',
      '2026-12-01T12:05+10:00',
      'on Tuesday 1 December between 12 am and 12:05 pm',
    ],
    [
      'Australia/Sydney',
      '2026-12-31T22:00+11:00',
      '2027-01-01T02:00+11:00',
      'between 10 pm on Thursday 31 December and 2 am on Friday 1 January',
    ],
    // The night the clocks go forward: an hour that is not there is not told.
    [
      'Australia/Hobart',
      '2026-10-03T23:00+10:00',
      '2026-10-04T03:00+11:00',
      'between 11 pm on Saturday 3 October and 3 am on Sunday 4 October',
    ],
  ]
  for (const [name, from, to, words] of cases) {
    assert.equal(windowInWords({ fromMs: Date.parse(from), toMs: Date.parse(to) }, zone(name)), words)
  }
})

test('every direction and moment has an SMS of one line and a letter', () => {
  for (const deliveryMode of ['store_to_door', 'customer_pickup'] as const) {
    const told = { ...facts, delivery: { ...facts.delivery, content: { ...content, deliveryMode } } }
    for (const template of TOLD_STATUSES) {
      const sms = deliveryWording('sms', template, told)
      assert.equal(sms.subject, null)
      assert.match(sms.body, /^Wattle & Co: [^\r\n]*A-17[^\r\n]*\.$/)
      assert.ok(sms.body.length <= 160, sms.body)
      const email = deliveryWording('email', template, told)
      assert.match(email.subject ?? '', /^Wattle & Co: .*A-17/)
      assert.match(email.body, /^Hello Ada,\n\n.*A-17.*\.\n\nWattle & Co\nFitzroy\n$/)
    }
  }
})

test('without a window nothing is promised', () => {
  const vague = { ...facts, delivery: { ...facts.delivery, window: null } }
  for (const template of TOLD_STATUSES)
    assert.doesNotMatch(deliveryWording('sms', template, vague).body, /null| {2}| \./)
  assert.match(deliveryWording('sms', 'collected', vague).body, /Expect it soon\./)
})

test('a link’s message tells neither the order’s number nor the address it will carry', () => {
  for (const kind of ['sms', 'email'] as const) {
    const { body } = linkWording(kind, { firstName: 'Ada', store })
    assert.equal(body.split('{link}').length, 2)
    assert.doesNotMatch(body, /https?:/)
  }
})

test('what people typed is one plain line, and nothing in it becomes a link', () => {
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
