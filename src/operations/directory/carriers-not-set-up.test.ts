import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import type { CarrierAccount } from '../../domain/account/account.ts'
import { carriersNotSetUp } from './carriers-not-set-up.ts'

const demo = exampleAccount('demo-account')
const carrier: CarrierAccount = {
  provider: 'post',
  adapter: 'auspost',
  name: 'Post',
  credentials: { api_key: 'post-key', password: 'post-password' },
  settings: {},
  environment: 'production',
  baseUrl: null,
  services: [],
}
const { password: _, ...withoutPassword } = carrier.credentials
const ready = {
  removedCarriers: new Map<string, CarrierAccount>(),
  secretOf: () => 'S3CRET',
  unreadableSecrets: new Set<string>(),
  hasSmtp: true,
}
const absent = { ...ready, secretOf: () => null }
const mail = {
  ...carrier,
  adapter: 'local_courier',
  credentials: {},
  settings: { email: 'post@example.com' },
}

const CASES: [
  name: string,
  carrier: CarrierAccount,
  setUp: typeof ready | typeof absent,
  detail: RegExp | null,
][] = [
  ['all is there', carrier, ready, null],
  ['no secret', carrier, absent, /^Drover cannot log in to Post, because its api key is missing\.$/],
  [
    'another key',
    carrier,
    { ...absent, unreadableSecrets: new Set(['post-key']) },
    /api key cannot be decrypted\.$/,
  ],
  ['not named', { ...carrier, credentials: withoutPassword }, ready, /its password is missing\.$/],
  ['mail', mail, ready, null],
  ['no mail server', mail, { ...ready, hasSmtp: false }, /no mail server is set/],
  ['practice', { ...carrier, adapter: 'swiftly' }, ready, /practice carrier/],
  ['unknown', { ...carrier, adapter: 'pigeon' }, ready, /does not support Post/],
]

test('a live account lacks the carriers that this installation cannot book; a sandbox account lacks none', () => {
  for (const [name, one, setUp, detail] of CASES) {
    const account = { ...demo, mode: 'live', carriers: [one] } as const
    const found = carriersNotSetUp(account, setUp).get('post')?.detail ?? null
    if (detail) assert.match(found ?? '', detail, name)
    else assert.equal(found, null, name)
    assert.doesNotMatch(found ?? '', /S3CRET|post-key|post-password/, name)
    const left = { ...setUp, removedCarriers: new Map([['post', one]]) }
    const removed = carriersNotSetUp({ ...account, carriers: [] }, left).get('post')
    assert.equal(removed?.detail ?? null, found, `${name}, removed from the document`)
    assert.equal(carriersNotSetUp({ ...account, mode: 'sandbox' }, setUp).size, 0, name)
  }
})
