import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { parse } from 'yaml'
import type { z } from 'zod'
import { FAULT } from '../../fakes/faults.ts'
import { AccountDocument } from '../domain/account/document/document.ts'
import { RateCardDocument } from '../domain/account/document/document-rate-card.ts'
import { pathText, toIssue } from '../domain/account/validation/mistake.ts'
import { shapeMistakes } from '../domain/account/validation/shape-mistakes.ts'
import { validateAccount } from '../domain/account/validation/validate.ts'
import { SETTINGS_SCHEMAS, settingsSentences } from './settings-schemas.ts'

const demo = parse(readFileSync(new URL('../../examples/demo-account.yaml', import.meta.url), 'utf8'), {
  merge: true,
})

/** The demo account with one carrier, by this adapter and with these settings. */
function account(adapter: string, settings: unknown): unknown {
  const [carrier] = demo.carriers
  return { ...demo, booking: undefined, carriers: [{ ...carrier, adapter, settings }] }
}

function mistakesOf(adapter: string, settings: unknown): string[] {
  return validateAccount(account(adapter, settings), { adapters: SETTINGS_SCHEMAS }).map(
    ({ path, wrong, remedy }) => `${pathText(path)} ${wrong} → ${remedy}`,
  )
}

test('an adapter’s settings are validated with the account document, with a path and remedy for each mistake', () => {
  assert.deepEqual(mistakesOf('auspost', { account_number: '0000123456' }), [])
  assert.deepEqual(mistakesOf('auspost', { account_number: 123456, settle_ms: 5, label_brandet: true }), [
    'carriers[0].settings.account_number must be text, not 123456 → write it in quotes: "123456"',
    'carriers[0].settings.settle_ms is 5 → at least 1000 is needed',
    'carriers[0].settings.label_brandet is not a known field → Did you mean "label_branded"?',
  ])
  assert.deepEqual(mistakesOf('auspost', {}), [
    'carriers[0].settings.account_number is missing → add it: your account number with them, ' +
      'ten digits (Australia Post) or eight (StarTrack), in quotes',
  ])
  assert.deepEqual(mistakesOf('aramex_au', { sends_from: 'anywere' }), [
    'carriers[0].settings.sends_from is "anywere" → write { address, post_code }, or anywhere',
  ])
  assert.deepEqual(mistakesOf('aramex_au', { sends_from: 5 }), [
    'carriers[0].settings.sends_from is 5 → write { address, post_code }, or anywhere',
  ])
  assert.deepEqual(mistakesOf('aramex_au', { sends_from: { address: '1 Kerr St', post_code: 3065 } }), [
    'carriers[0].settings.sends_from.post_code must be text, not 3065 → write it in quotes: "3065"',
  ])
  assert.deepEqual(mistakesOf('local_courier', { email: 'bob' }), [
    'carriers[0].settings.email is "bob" → write an email address such as "jobs@example.com"',
  ])
  assert.deepEqual(mistakesOf('local_courier', {}), [
    'carriers[0].settings.email is missing → write the address that bookings are mailed to, or pickup: 1 if the courier fetches them',
  ])
  assert.deepEqual(mistakesOf('swiftly', { timeout_ms: 5, breaker_failure: 3 }), [
    'carriers[0].settings.timeout_ms is 5 → at least 100 is needed',
    'carriers[0].settings.breaker_failure is not a known field → Did you mean "breaker_failures"?',
  ])
  assert.deepEqual(mistakesOf('uber_direct', { handover_proof: 'photo', pickup_phone: '03 9000 0000' }), [
    'carriers[0].settings.handover_proof is "photo" → write picture, pin or none',
    'carriers[0].settings.pickup_phone is "03 9000 0000" → write a phone number with its country, such as "+61390000000"',
  ])
  assert.deepEqual(settingsSentences('auspost', { account_number: '12' }), [
    'settings.account_number: Is "12". Write ten digits (Australia Post) or eight (StarTrack), in quotes.',
  ])
})

const WRONG = [
  undefined,
  null,
  true,
  -1,
  0.5,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  'x',
  'X'.repeat(5_000),
  '\u0000',
  '2026-13-45',
  [],
  [null],
  {},
  { x: 1 },
]

type Node = z.core.$ZodTypes

/** Every field of a schema, as a function that puts a value there into a document that holds nothing else. */
function* places(schema: z.core.$ZodType, put = (value: unknown): unknown => value): Generator<typeof put> {
  const { def } = (schema as Node)._zod
  yield put
  if ('innerType' in def) yield* places(def.innerType, put)
  else if (def.type === 'union') for (const option of def.options) yield* places(option, put)
  else if (def.type === 'array') yield* places(def.element, (value) => put([value]))
  else if (def.type === 'record') {
    const [key = 'x'] = [...(def.keyType._zod.values ?? [])].map(String)
    yield* places(def.valueType, (value) => put({ [key]: value }))
  } else if (def.type === 'object')
    for (const [name, field] of Object.entries(def.shape))
      yield* places(field, (value) => put({ [name]: value }))
}

/** How Zod begins its own messages. */
const RAW =
  /Invalid (input|string|option|key|email|UR|ISO|union|element)|Too (big|small)|Unrecognized|must match|received|undefined|\[object/

const SCHEMAS: [string, z.ZodType][] = [
  ...SETTINGS_SCHEMAS,
  ['the account document', AccountDocument],
  ['a rate card', RateCardDocument],
  ['a fault of a fake carrier', FAULT],
]

for (const [name, schema] of SCHEMAS) {
  test(`no message about ${name} is Zod’s own, whatever a field contains`, () => {
    let messages = 0
    for (const put of places(schema)) {
      for (const value of WRONG) {
        const document = put(value)
        const { success, error } = schema.safeParse(document)
        const mistakes = shapeMistakes(schema, document, error?.issues ?? [])
        assert.equal(mistakes.length === 0, success, JSON.stringify(document))
        for (const mistake of mistakes) {
          const { message } = toIssue(mistake)
          messages += 1
          assert.doesNotMatch(message, RAW, `${JSON.stringify(document)?.slice(0, 200)}: ${message}`)
          assert.notEqual(mistake.remedy, '', message)
        }
      }
    }
    assert.ok(messages > 30, `${messages} messages`)
  })
}
