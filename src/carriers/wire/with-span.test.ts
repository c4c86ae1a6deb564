import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import type { EndedSpan } from '../../observability/tracing/span.ts'
import { makeTracer } from '../../observability/tracing/tracer.ts'
import { accountCarriers } from '../account-carriers.ts'
import type { CarrierRequest } from '../port/send.ts'

/** Australia Post for one account; every request gets this answer. */
function australiaPost(answer: { status: number } | 'silence') {
  const spans: EndedSpan[] = []
  const requests: CarrierRequest[] = []
  const carrierOf = accountCarriers({
    sandbox: {} as never,
    secretKey: 'a secret key of tests',
    outbound: {
      to: () => async (request) => {
        requests.push(request)
        if (answer === 'silence') return { kind: 'no_answer', message: 'Ada Nguyen hung up' }
        return { kind: 'answered', status: answer.status, body: { name: 'Ada Nguyen' } }
      },
      load: async () => {},
      close: async () => {},
    },
    mailPortOf: () => {
      throw new Error('It has an interface.')
    },
    wallMs: () => 0,
    report() {},
    tracer: makeTracer(
      () => true,
      (span) => spans.push(span),
    ),
  })
  const account: Pick<Account, 'id' | 'mode'> = { id: 'demo', mode: 'live' }
  const credentials = { api_key: 'post_key', password: 'post_password' }
  const post = {
    provider: 'post',
    name: 'Australia Post',
    adapter: 'auspost',
    settings: { account_number: '1234567890' },
    environment: 'production',
    baseUrl: null,
    credentials,
  } as unknown as CarrierAccount
  const carrier = carrierOf(account, post, () => 'canary-of-a-secret')
  return { carrier, spans, requests }
}

test('a carrier call and each of its requests get a span without their bodies', async () => {
  const { carrier, spans, requests } = australiaPost({ status: 503 })
  const outcome = await carrier?.check?.()
  const [call, question] = spans
  const names = { 'drover.carrier': 'post', 'drover.adapter': 'auspost', 'drover.operation': 'check' }
  assert.equal(question?.name, 'carrier check')
  assert.equal(question?.attributes['drover.outcome'], outcome?.kind)
  assert.equal(call?.parentSpanId, question?.spanId)
  assert.equal(call?.kind, 'client')
  assert.equal(call?.errorType, '503')
  assert.deepEqual(call?.attributes, {
    ...names,
    'http.request.method': 'GET',
    'http.response.status_code': 503,
    'server.address': 'digitalapi.auspost.com.au',
    'drover.outcome': 'answered',
  })
  const text = JSON.stringify(spans)
  for (const secret of ['canary', '1234567890', 'Nguyen']) assert.ok(!text.includes(secret), secret)
  assert.ok(!JSON.stringify(requests).includes('traceparent'), 'the carrier is not told of the trace')
})

test('a span records that its request got no response', async () => {
  const { carrier, spans } = australiaPost('silence')
  await carrier?.check?.()
  const [call] = spans
  assert.equal(call?.errorType, 'no_answer')
  assert.equal(call?.attributes['http.response.status_code'], undefined)
  assert.ok(!JSON.stringify(spans).includes('Nguyen'))
})
