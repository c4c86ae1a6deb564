import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import type { CarrierRequest, CarrierResponse } from '../carriers/port/send.ts'
import { ResilienceSettings, resilientWire } from '../carriers/wire/resilience.ts'
import type { SendOutcome } from '../notify/notifier.ts'
import type { WebhookAnswer } from '../notify/webhook-post.ts'
import { carrierMetrics, countedNotifier, countedWebhooks } from './work-metrics.ts'

const request: CarrierRequest = { method: 'POST', path: '/', headers: {}, body: undefined }
const fine: CarrierResponse = { kind: 'answered', status: 200, body: null }
const broken: CarrierResponse = { kind: 'no_answer', message: 'reset' }

test('an open circuit breaker shows in the metrics until the carrier works or gets new settings', async () => {
  const registry = new Registry()
  let nowMs = 0
  const { report, breaker } = carrierMetrics(registry, () => nowMs)
  let answer: CarrierResponse = broken
  const wireOf = (key: string) =>
    resilientWire(async () => answer, {
      settings: ResilienceSettings.parse({ breaker_failures: 2 }),
      mode: 'live',
      monotonicMs: () => nowMs,
      report: (call) => report('acme', 'post', call),
      onBreakerChange: (open) => breaker({ accountId: 'demo', provider: key, adapter: 'auspost' }, open),
    })
  const open = async () =>
    /breakers_open\{adapter="auspost"\} (\d)/.exec(await registry.metrics())?.[1] ?? '0'
  const [first, second] = [wireOf('a'), wireOf('b')]

  // Three at once: the last one fails when the breaker is open already.
  await Promise.all([first(request), first(request), first(request)])
  assert.equal(await open(), '1')
  await second(request)
  await second(request)
  assert.equal(await open(), '2')
  answer = fine
  nowMs = 60_000
  await first(request)
  assert.equal(await open(), '1')
  breaker({ accountId: 'demo', provider: 'b', adapter: 'auspost' }, false)
  assert.equal(await open(), '0')

  answer = broken
  await second(request)
  await second(request)
  nowMs += 20 * 60_000
  await second(request)
  nowMs += 20 * 60_000
  assert.equal(await open(), '1', 'a failed probe counts')
  nowMs += 2 * 60_000
  assert.equal(await open(), '0', 'nobody has asked the carrier for 22 minutes')
})

test('sent messages are counted by the response', async () => {
  const registry = new Registry()
  const outcomes: SendOutcome[] = [
    { kind: 'yes' },
    { kind: 'no', again: true, message: '' },
    { kind: 'unknown', message: '' },
  ]
  const channel = { honoursIds: true, send: async () => outcomes.shift() ?? { kind: 'yes' as const } }
  const notifier = countedNotifier({ sms: channel, email: null }, registry)
  assert.equal(notifier.email, null)
  assert.equal(notifier.sms?.honoursIds, true)
  const message = { id: 'm', to: 't', from: 'f', subject: null, body: 'b' }
  for (let sent = 0; sent < 4; sent++) await notifier.sms?.send(message)

  const answers: WebhookAnswer[] = [
    { kind: 'answered', status: 204, retryAfter: null, excerpt: '' },
    { kind: 'answered', status: 302, retryAfter: null, excerpt: '' },
    { kind: 'failed', message: '' },
  ]
  const post = countedWebhooks(async () => answers.shift() as WebhookAnswer, registry)
  for (let told = 0; told < 3; told++) await post('https://example.com', {}, '')

  const text = await registry.metrics()
  for (const line of [
    'drover_messages_total{kind="sms",outcome="sent"} 2',
    'drover_messages_total{kind="sms",outcome="rejected"} 1',
    'drover_messages_total{kind="sms",outcome="unknown"} 1',
    'drover_webhook_attempts_total{outcome="delivered"} 1',
    'drover_webhook_attempts_total{outcome="rejected"} 1',
    'drover_webhook_attempts_total{outcome="error"} 1',
  ]) {
    assert.ok(text.includes(line), line)
  }
})
