import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { MESSAGE_TEXTS, TRACKING_TEXTS } from '../../values.ts'
import { listForbiddenChanges } from '../owner-access.ts'
import { messageTextWarnings } from './message-text-mistakes.ts'
import { toIssue } from './mistake.ts'
import { validateAccount } from './validate.ts'

const demo = parse(readFileSync(new URL('../../../../examples/demo-account.yaml', import.meta.url), 'utf8'), {
  merge: true,
})
const issuesOf = (over: object) =>
  validateAccount({ ...demo, ...over }).map((mistake) => {
    const { field, message } = toIssue(mistake)
    return `${field}: ${message}`
  })

test('every mistake of the texts is reported at once, with its path', () => {
  const texts = {
    sms: { booked: '{{ordr}}', link: 'Come in', delivered: '' },
    email: { collected: { subject: '{{link}}', body: 'Line one\nline two {{link}}' } },
    tracking_page: { assigned: '{{window}}' },
  }
  assert.deepEqual(issuesOf({ message_texts: { en: texts } }).sort(), [
    'message_texts.en.email.collected.subject: {{link}} is not a placeholder of this text. Use {{brand}}, {{store}}, {{order}}, {{first_name}}, {{window}}.',
    'message_texts.en.sms.booked: {{ordr}} is not a placeholder of this text. Did you mean "order"?',
    'message_texts.en.sms.delivered: Has 0 characters. At least 1 is needed.',
    'message_texts.en.sms.link: {{link}} is missing, so customers can’t open their booking page from this text. Add {{link}} to the text.',
    'message_texts.en.tracking_page.assigned: {{window}} is not a placeholder of this text. Use {{brand}}, {{store}}, {{courier}}.',
  ])
})

test('a text without its link is accepted with a warning', () => {
  const document = {
    ...demo,
    message_texts: { en: { sms: { booked: 'Soon.' }, email: { booked: { subject: 'Hi' } } } },
  }
  assert.deepEqual(issuesOf(document), [])
  assert.deepEqual(messageTextWarnings(document), [
    {
      field: 'message_texts.en.sms.booked',
      message: 'The SMS for “booked” has no {{link}}, so customers can’t open their tracking page from it.',
    },
  ])
})

test('a brand’s language needs every text', () => {
  const brands = [{ ...demo.brands[0], language: 'vi' }]
  const [issue, ...others] = issuesOf({
    brands,
    message_texts: { vi: { sms: { booked: 'Xin chào {{link}}' } } },
  })
  assert.deepEqual(others, [])
  assert.match(
    issue ?? '',
    /^brands\[0\]\.language: Some messages in this language have no wording: message_texts\.vi\.email\.booked\.subject, .* and 52 more\. Write these messages, or set the language to "en"\.$/,
  )
  const all = {
    sms: Object.fromEntries(MESSAGE_TEXTS.map((name) => [name, '{{link}}'])),
    email: Object.fromEntries(MESSAGE_TEXTS.map((name) => [name, { subject: 'S', body: '{{link}}' }])),
    tracking_page: Object.fromEntries(TRACKING_TEXTS.map((name) => [name, 'S'])),
  }
  assert.deepEqual(issuesOf({ brands, message_texts: { vi: all } }), [])
})

test('the merchant’s admins may change the texts', () => {
  const before = { ...demo, owner_grants: [] }
  const after = { ...before, message_texts: { en: { sms: { booked: 'Soon. {{link}}' } } } }
  assert.deepEqual(listForbiddenChanges(before, after), [])
})
