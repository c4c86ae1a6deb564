import assert from 'node:assert/strict'
import test from 'node:test'
import { DOORDASH } from './index.ts'

const BASIC = `Basic ${Buffer.from('doordash:a long password').toString('base64')}`
const body = Buffer.from(JSON.stringify({ external_delivery_id: 'a', event_name: 'DASHER_CONFIRMED' }))

function read(webhook_authorization: string | undefined, authorization: string | undefined) {
  const carrier = DOORDASH.make({
    send: async () => ({ kind: 'not_sent', said: '' }),
    credentials: webhook_authorization === undefined ? {} : { webhook_authorization },
    wallMs: () => 1_795_478_400_000,
  })
  return carrier.readWebhook!({ headers: { authorization }, body })
}

test('a webhook is believed by the header that DoorDash was told to send, Basic or Bearer', () => {
  for (const header of [BASIC, 'Bearer a-long-token']) assert.equal(read(header, header)?.events.length, 1)
})

test('anybody else is not believed', () => {
  for (const header of [undefined, '', 'Basic', `${BASIC}=`, BASIC.slice(0, -1), BASIC.toLowerCase()]) {
    assert.equal(read(BASIC, header), null)
  }
  assert.equal(read(undefined, ''), null)
  assert.equal(read('', ''), null)
})
