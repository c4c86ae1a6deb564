import assert from 'node:assert/strict'
import test from 'node:test'
import { Webhook } from 'standardwebhooks'
import { webhookHeaders } from '../../../src/operations/webhooks/webhook-secret.ts'
import { verifyWebhook, WebhookError } from './webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const nowMs = Date.parse('2026-11-24T10:00:00Z')
const message = {
  type: 'delivery.booked',
  timestamp: '2026-11-24T10:00:00Z',
  sequence: 2,
  data: { reference: 'Café 1' },
}
const body = JSON.stringify(message)

/** As the public library signs. */
function signedBy(key: string, atMs = nowMs, text = body): Record<string, string> {
  const signature = new Webhook(key).sign('evt_1', new Date(atMs), text)
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': signature,
  }
}

test('a webhook that standardwebhooks signed is verified, as text, as bytes and with Headers', async () => {
  const headers = signedBy(secret)
  const expected = { ...message, id: 'evt_1' }
  assert.deepEqual(await verifyWebhook({ body, headers, secret, nowMs }), expected)
  const bytes = new TextEncoder().encode(body)
  assert.deepEqual(
    await verifyWebhook({ body: bytes, headers: new Headers(headers), secret, nowMs }),
    expected,
  )
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  )
  assert.deepEqual(await verifyWebhook({ body: Buffer.from(body), headers: upper, secret, nowMs }), expected)
})

test('a webhook that Drover signed is verified by the client and by standardwebhooks alike', async () => {
  const now = Date.now()
  const sealer = { knows: () => true, open: () => secret } as unknown as Parameters<typeof webhookHeaders>[0]
  const sealed = {} as Parameters<typeof webhookHeaders>[1]['secrets'][number]
  const endpoint = { accountId: 'demo', endpointId: 'whe_1', secrets: [sealed] }
  const headers = webhookHeaders(sealer, endpoint, { id: 'evt_2', body, wallMs: now })
  assert.deepEqual(await verifyWebhook({ body, headers, secret }), { ...message, id: 'evt_2' })
  assert.deepEqual(new Webhook(secret).verify(body, headers), message)
})

test('during a rotation either secret verifies', async () => {
  const both = { ...signedBy(secret) }
  both['webhook-signature'] += ` v1a,ignored ${signedBy(other)['webhook-signature']}`
  assert.equal((await verifyWebhook({ body, headers: both, secret: other, nowMs })).id, 'evt_1')
  const headers = signedBy(secret)
  assert.equal((await verifyWebhook({ body, headers, secret: [other, secret], nowMs })).id, 'evt_1')
})

const headers = signedBy(secret)
const REFUSED = [
  { name: 'another secret', with: { secret: other }, code: 'signature_mismatch' },
  { name: 'a changed body', with: { body: body.replace('booked', 'failed') }, code: 'signature_mismatch' },
  {
    name: 'another id',
    with: { headers: { ...headers, 'webhook-id': 'evt_9' } },
    code: 'signature_mismatch',
  },
  {
    name: 'no signature of version 1',
    with: { headers: { ...headers, 'webhook-signature': 'v2,AAAA' } },
    code: 'signature_mismatch',
  },
  {
    name: 'a signature that is not base64',
    with: { headers: { ...headers, 'webhook-signature': 'v1,§' } },
    code: 'signature_mismatch',
  },
  {
    name: 'an empty signature',
    with: { headers: { ...headers, 'webhook-signature': 'v1,' } },
    code: 'signature_mismatch',
  },
  { name: 'a missing header', with: { headers: { ...headers, 'webhook-id': '' } }, code: 'header_missing' },
  {
    name: 'a timestamp in words',
    with: { headers: { ...headers, 'webhook-timestamp': 'now' } },
    code: 'timestamp_out_of_tolerance',
  },
  { name: 'an old webhook', with: { nowMs: nowMs + 301_000 }, code: 'timestamp_out_of_tolerance' },
  { name: 'a webhook of the future', with: { nowMs: nowMs - 301_000 }, code: 'timestamp_out_of_tolerance' },
] as const

for (const { name, with: over, code } of REFUSED) {
  test(`${name} is refused as ${code}`, async () => {
    const given = { body, headers, secret, nowMs, ...over }
    await assert.rejects(
      verifyWebhook(given),
      (error) => error instanceof WebhookError && error.code === code,
    )
  })
}

test('five minutes either way are accepted', async () => {
  for (const at of [nowMs - 299_000, nowMs + 299_000])
    await verifyWebhook({ body, headers, secret, nowMs: at })
})

test('a secret that is not base64 is a mistake of the caller', async () => {
  await assert.rejects(verifyWebhook({ body, headers, secret: 'whsec_§', nowMs }), TypeError)
})
