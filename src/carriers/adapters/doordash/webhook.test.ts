import assert from 'node:assert/strict'
import test from 'node:test'
import { DOORDASH } from './index.ts'

const BASIC = `Basic ${Buffer.from('doordash:a long password').toString('base64')}`
const body = Buffer.from(JSON.stringify({ external_delivery_id: 'a', event_name: 'DASHER_CONFIRMED' }))

function read(webhook_authorization: string | undefined, authorization: string | undefined) {
  const carrier = DOORDASH.make({
    send: async () => ({ kind: 'not_sent', message: '' }),
    credentials: webhook_authorization === undefined ? {} : { webhook_authorization },
    wallMs: () => 1_795_478_400_000,
  })
  return carrier.readWebhook!({ headers: { authorization }, body })
}

test('accepts a webhook with the configured Basic or Bearer header', () => {
  for (const header of [BASIC, 'Bearer a-long-token']) assert.equal(read(header, header)?.events.length, 1)
})

test('DoorDash gets a token for its id and secret, valid for an hour', () => {
  const clock = { nowMs: 1_795_478_400_000 }
  const secrets = { webhook_client_id: 'dd', webhook_client_secret: 'a long secret' }
  const carrier = (credentials: Record<string, string>) =>
    DOORDASH.make({
      send: async () => ({ kind: 'not_sent', message: '' }),
      credentials,
      wallMs: () => clock.nowMs,
    })
  const ask = (form: object, authorization?: string, credentials: Record<string, string> = secrets) =>
    carrier(credentials).grantToken!({
      headers: { authorization },
      body: Buffer.from(new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString()),
    })
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const granted = ask({ client_id: 'dd', client_secret: 'a long secret' })
  assert.equal(granted?.expires_in, 3_600)
  assert.deepEqual(ask({}, basic('dd:a long secret')), granted)
  const unauthenticated: [object, string | undefined, Record<string, string>?][] = [
    [{ client_id: 'dd', client_secret: 'another' }, undefined],
    [{ client_id: 'xx', client_secret: 'a long secret' }, undefined],
    [{ client_id: 'dd', client_secret: 'a long secret', grant_type: 'password' }, undefined],
    [{}, basic('dd')],
    [{}, undefined],
    [{ client_id: '', client_secret: '' }, undefined, {}],
  ]
  for (const [form, authorization, credentials] of unauthenticated) {
    assert.equal(ask(form, authorization, credentials), null)
  }

  const believed = (token: string, credentials = secrets) =>
    carrier(credentials).readWebhook!({ headers: { authorization: `Bearer ${token}` }, body }) !== null
  const token = granted!.access_token
  assert.ok(believed(token))
  assert.ok(!believed(token.replace(/^\d/, '9')))
  assert.ok(!believed(token, { ...secrets, webhook_client_secret: 'a newer one' }))
  clock.nowMs += 3_600_000
  assert.ok(!believed(token))
})

test('rejects every other sender', () => {
  for (const header of [undefined, '', 'Basic', `${BASIC}=`, BASIC.slice(0, -1), BASIC.toLowerCase()]) {
    assert.equal(read(BASIC, header), null)
  }
  assert.equal(read(undefined, ''), null)
  assert.equal(read('', ''), null)
})
