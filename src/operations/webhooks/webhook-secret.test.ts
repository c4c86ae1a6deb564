import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { makeSealer } from '../secrets/seal.ts'
import { newWebhookSecret, webhookHeaders } from './webhook-secret.ts'

const place = { accountId: 'demo', endpointId: 'whk_1' }
const message = { id: 'evt_1', body: '{}', wallMs: 1_795_478_400_000 }
const lost = newWebhookSecret(makeSealer('the key that was lost with its machine'), place)
const sealer = makeSealer('the key that was made in its place')
const newer = newWebhookSecret(sealer, place)

function signatureBy(secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update('evt_1.1795478400.{}').digest('base64')}`
}

test('when the old secret’s encryption key is lost, only the new secret signs', () => {
  const headers = webhookHeaders(sealer, { ...place, secrets: [newer.sealed, lost.sealed] }, message)
  assert.equal(headers['webhook-signature'], signatureBy(newer.secret))
})

test('with every key available, both secrets sign', () => {
  const both = makeSealer('the key that was made in its place', ['the key that was lost with its machine'])
  const headers = webhookHeaders(both, { ...place, secrets: [newer.sealed, lost.sealed] }, message)
  assert.equal(headers['webhook-signature'], `${signatureBy(newer.secret)} ${signatureBy(lost.secret)}`)
})

test('a webhook that cannot be signed is not sent', () => {
  assert.throws(
    () => webhookHeaders(sealer, { ...place, secrets: [lost.sealed] }, message),
    /sealed with key/,
  )
})
