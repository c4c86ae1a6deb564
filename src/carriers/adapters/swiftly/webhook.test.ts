import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import { swiftly } from './index.ts'

const WALL_MS = 1_795_478_400_000
const body = Buffer.from('{"events":[]}')
const carrier = swiftly({
  send: async () => ({ kind: 'not_sent', message: '' }),
  credentials: { api_key: 'k', webhook_secret: 'whole secret' },
  wallMs: () => WALL_MS,
})

function signed(secret = 'whole secret', timestamp = `${WALL_MS / 1000}`, over: Buffer = body) {
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(over).digest('hex')
  return { 'swiftly-timestamp': timestamp, 'swiftly-signature': `v1=${digest}` }
}

test('reads a webhook that the carrier signed', () => {
  assert.deepEqual(carrier.readWebhook!({ headers: signed(), body }), {
    events: [],
    bookings: [],
    unreadable: 0,
  })
})

test('rejects a webhook with a wrong or an old signature', () => {
  const hundredMinutes = 6_000
  const cases: [string, Record<string, string | undefined>][] = [
    ['no headers', {}],
    ['another secret', signed('other secret')],
    ['an empty secret', signed('')],
    ['another body', signed(undefined, undefined, Buffer.from('{}'))],
    ['too old', signed(undefined, `${WALL_MS / 1000 - hundredMinutes}`)],
    ['from the future', signed(undefined, `${WALL_MS / 1000 + hundredMinutes}`)],
    ['no time', signed(undefined, 'now')],
    ['another time', { ...signed(), 'swiftly-timestamp': `${WALL_MS / 1000 + 1}` }],
    ['cut short', { ...signed(), 'swiftly-signature': signed()['swiftly-signature'].slice(0, -2) }],
    [
      'another version',
      { ...signed(), 'swiftly-signature': signed()['swiftly-signature'].replace('v1', 'v0') },
    ],
  ]
  for (const [name, headers] of cases) assert.equal(carrier.readWebhook!({ headers, body }), null, name)
})

test('rejects every webhook if there is no secret', () => {
  const bare = swiftly({
    send: async () => ({ kind: 'not_sent', message: '' }),
    credentials: {},
    wallMs: () => WALL_MS,
  })
  assert.equal(bare.readWebhook!({ headers: signed(''), body }), null)
})
