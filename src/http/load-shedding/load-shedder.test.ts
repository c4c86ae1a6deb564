import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { testFixture } from '../../../test/fixture.ts'
import { makeAuthenticator } from '../admission/admission.ts'
import type { HttpDeps } from '../contract/deps.ts'
import { type Endpoint, json } from '../contract/endpoint.ts'
import { registerBodyParsers } from '../input/body-parsers.ts'
import { accessLog } from '../observing/access-log.ts'
import { serve } from '../pipeline/serve.ts'
import { stoppable } from '../server/stop.ts'
import { loadShedder } from './load-shedder.ts'

/**
 * A server with one endpoint that is overloaded while `isFull` returns true; `seen` counts the requests that reach the
 * framework.
 */
async function fullEndpoint(t: TestContext) {
  const { deps } = await testFixture(t, { work: false })
  const registry = new Registry()
  const httpDeps = { ...deps, registry } as HttpDeps
  const state = { isFull: true, seen: 0 }
  const endpoint = {
    method: 'POST',
    url: '/:shop/creates',
    access: 'public',
    answers: {},
    refusals: [],
    headers: { 'x-of-endpoint': 'yes' },
    queue: () => ({ isFull: () => state.isFull, begin: (work: () => unknown) => work() }),
    handle: async () => json(201, { data: 'made' }),
  } as unknown as Endpoint
  const app = Fastify()
  t.after(() => app.close())
  app.decorateRequest('wasShed', false)
  app.addHook('onRequest', (_request, _reply, done) => {
    state.seen++
    done()
  })
  const api = loadShedder(app, httpDeps, accessLog(app, httpDeps))
  registerBodyParsers(app)
  serve(app, httpDeps, makeAuthenticator(httpDeps), endpoint, api)
  stoppable(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', ...headers },
    })
  return { state, ask, registry, shedder: api }
}

test('requests to a full endpoint are rejected before the framework with the same response, and counted', async (t) => {
  const { state, ask, registry } = await fullEndpoint(t)
  const responses = []
  for (let n = 0; n < 20; n++) responses.push(await toComparable(await ask('/wattle/creates')))
  assert.equal(state.seen, 1)
  assert.equal(new Set(responses.map(({ content }) => content)).size, 1, 'they get different messages')
  assert.equal(responses[0]?.status, 503)
  assert.equal(new Set(responses.map(({ requestId }) => requestId)).size, 20)
  assert.match(
    await registry.metrics(),
    /drover_http_request_duration_seconds_count\{[^}]*status="503"[^}]*\} 20/,
  )

  assert.equal(
    (await ask('/wattle/creates', { 'x-request-id': 'mine-1' })).headers.get('x-request-id'),
    'mine-1',
  )
  assert.equal(state.seen, 1)
})

test('a path that the framework has not rejected, or a traced request, reaches the framework', async (t) => {
  const { state, ask } = await fullEndpoint(t)
  await ask('/wattle/creates')
  await ask('/banksia/creates')
  assert.equal(state.seen, 2, 'another address')
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const traced = await ask('/wattle/creates', { traceparent })
  assert.equal(traced.status, 503)
  assert.match(traced.headers.get('traceparent') ?? '', /^00-a{32}-/)
  assert.equal(state.seen, 3)

  state.isFull = false
  assert.equal((await ask('/wattle/creates')).status, 201, 'there is room again')
  assert.equal((await ask('/wattle/creates')).status, 201)
  assert.equal(state.seen, 5)
})

test('the load shedder passes requests until an endpoint is marked, and again once it has room', async (t) => {
  const { state, ask, shedder } = await fullEndpoint(t)
  state.isFull = false
  await ask('/wattle/creates')
  assert.equal(shedder.state(), 'passing')

  state.isFull = true
  await ask('/wattle/creates')
  assert.equal(shedder.state(), 'shedding', 'the framework marked the endpoint')
  await ask('/banksia/creates')
  await ask('/wattle/creates')
  assert.equal(shedder.state(), 'shedding')

  state.isFull = false
  assert.equal((await ask('/wattle/creates')).status, 201)
  assert.equal(shedder.state(), 'shedding', 'the other address is still marked')
  assert.equal((await ask('/banksia/creates')).status, 201)
  assert.equal(shedder.state(), 'passing')
})

const OWN = ['date', 'x-request-id', 'content-length']

/** The whole response, without the parts that differ from one request to the next. */
async function toComparable(answer: Response) {
  const requestId = answer.headers.get('x-request-id') ?? ''
  const headers = [...answer.headers].filter(([name]) => !OWN.includes(name))
  const body = (await answer.text()).replace(requestId, '')
  return { status: answer.status, requestId, content: JSON.stringify([answer.status, headers.sort(), body]) }
}
