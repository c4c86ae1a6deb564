import assert from 'node:assert/strict'
import test from 'node:test'
import { webhookHeaders } from '../../src/operations/webhooks/webhook-secret.ts'
import { deliveryBody, quoteBody } from '../../test/api.ts'
import { listeningApi } from '../typescript/src/test/listening-api.ts'
import { skip, startPython } from './test-python.ts'

const LIMITS = { requestsPerSecond: 20, burst: 20 }

/** unittest counts skipped tests as well, so a run that tested nothing would end with 0. */
function countTests(output: string): number {
  return Number(/^Ran (\d+) tests?/m.exec(output)?.[1]) - Number(/skipped=(\d+)/.exec(output)?.[1] ?? 0)
}

test('the tests in Python that need no API', { skip }, async (t) => {
  const output = await startPython(t, ['unittest', '-v']).ended
  t.diagnostic(`${countTests(output)} tests in Python`)
  assert.ok(countTests(output) >= 40, output)
})

test('on the API: quote, delivery, label, lists, errors, the feed without a gap, the README', {
  skip,
}, async (t) => {
  const { baseUrl } = await listeningApi(t, { work: true })
  const env = {
    DROVER_URL: baseUrl,
    DROVER_BODIES: JSON.stringify({ quote: quoteBody, delivery: deliveryBody() }),
  }
  const output = await startPython(t, ['unittest', '-v', 'tests.on_the_api'], env).ended
  t.diagnostic(`${countTests(output)} tests in Python`)
  assert.ok(countTests(output) >= 10, output)
})

test('a webhook that Drover signed is verified', { skip }, async (t) => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"type":"delivery.booked","data":{"reference":"Café 1"}}'
  const sealer = { knows: () => true, open: () => secret } as unknown as Parameters<typeof webhookHeaders>[0]
  const sealed = {} as Parameters<typeof webhookHeaders>[1]['secrets'][number]
  const endpoint = { accountId: 'demo', endpointId: 'whe_1', secrets: [sealed] }
  const headers = webhookHeaders(sealer, endpoint, { id: 'evt_2', body, wallMs: Date.now() })
  const { child, ended } = startPython(t, ['tests.verify_one_webhook'])
  child.stdin.end(JSON.stringify({ body, headers, secret }))
  assert.deepEqual(JSON.parse(await ended), { ...JSON.parse(body), id: 'evt_2' })
})

const CLIENTS = { Drover: {}, AsyncDrover: { DROVER_ASYNC: '1' } }
for (const [client, env] of Object.entries(CLIENTS))
  test(`a storm of 429 on ${client}: the API serves its limit, and every request succeeds in the end`, {
    skip,
  }, async (t) => {
    const { baseUrl, api } = await listeningApi(t)
    const { requestsPerSecond, burst } = LIMITS
    Object.assign(api.fixture.demo().account, { limits: LIMITS })
    const total = burst + requestsPerSecond * 5
    const output = await startPython(t, ['tests.send_burst', baseUrl, `${total}`], env).ended
    const { answers, limited, seconds } = JSON.parse(output)
    t.diagnostic(`${total} requests: ${limited} of ${answers} were 429, ${seconds.toFixed(1)} s`)
    assert.ok(limited > 0)
    // The token bucket: what it held, and what it got since. One for the token's own request.
    assert.ok(answers - limited <= burst + requestsPerSecond * (seconds + 1) + 1)
  })
