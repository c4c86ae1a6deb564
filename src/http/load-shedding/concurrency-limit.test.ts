import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import pino from 'pino'
import { Registry } from 'prom-client'
import { testFixture } from '../../../test/fixture.ts'
import { makeAuthenticator } from '../admission/admission.ts'
import type { HttpDeps } from '../contract/deps.ts'
import { type Endpoint, type HttpResponse, json } from '../contract/endpoint.ts'
import { registerBodyParsers } from '../input/body-parsers.ts'
import { accessLog } from '../observing/access-log.ts'
import { serve } from '../pipeline/serve.ts'
import { loadShedder } from './load-shedder.ts'

test('a request to a full endpoint is rejected at once with Retry-After, and accepted when there is room', async (t) => {
  const { deps } = await testFixture(t, { work: false })
  const waiting: (() => void)[] = []
  const endpoint = {
    method: 'GET',
    url: '/slow',
    access: 'public',
    answers: {},
    refusals: [],
    atOnce: 2,
    handle: () =>
      new Promise<HttpResponse>((resolve) => waiting.push(() => resolve(json(200, { data: 'done' })))),
  } as unknown as Endpoint
  const app = Fastify()
  t.after(() => app.close())
  serve(app, deps as HttpDeps, makeAuthenticator(deps as HttpDeps), endpoint, {
    markOverloaded() {},
    state: () => 'passing',
  })
  const ask = () => app.inject('/slow')

  const first = [ask(), ask()]
  await until(() => waiting.length === 2)
  const wasShed = await ask()
  assert.equal(wasShed.statusCode, 503)
  assert.equal(wasShed.headers['retry-after'], '1')
  assert.equal(wasShed.json().code, 'service_unavailable')
  assert.equal(waiting.length, 2, 'it was processed all the same')

  for (const finish of waiting.splice(0)) finish()
  for (const answer of await Promise.all(first)) assert.equal(answer.statusCode, 200)
  const later = ask()
  await until(() => waiting.length === 1)
  waiting[0]?.()
  assert.equal((await later).statusCode, 200)
})

test('a request to a full queue is rejected before its body is read, and the log has one line for all', async (t) => {
  const { deps } = await testFixture(t, { work: false })
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) })
  const metrics = new Registry()
  const httpDeps = { ...deps, log, registry: metrics } as HttpDeps
  let isFull = true
  const endpoint = {
    method: 'POST',
    url: '/creates',
    access: 'public',
    answers: {},
    refusals: [],
    queue: () => ({ isFull: () => isFull, begin: (work: () => unknown) => work() }),
    handle: async () => json(201, { data: 'created' }),
  } as unknown as Endpoint
  const app = Fastify()
  t.after(() => app.close())
  app.decorateRequest('wasShed', false)
  const api = loadShedder(app, httpDeps, accessLog(app, httpDeps))
  registerBodyParsers(app)
  serve(app, httpDeps, makeAuthenticator(httpDeps), endpoint, api)
  const ask = (payload: string) =>
    app.inject({ method: 'POST', url: '/creates', headers: { 'content-type': 'application/json' }, payload })

  const replies = await Promise.all(Array.from({ length: 50 }, () => ask('no JSON at all')))
  assert.deepEqual(new Set(replies.map(({ statusCode }) => statusCode)), new Set([503]))
  const ids = replies.map((answer) => answer.json().request_id)
  assert.deepEqual(
    ids,
    replies.map(({ headers }) => headers['x-request-id']),
  )
  assert.equal(new Set(ids).size, 50)

  isFull = false
  assert.equal((await ask('{}')).statusCode, 201)
  const ofThem = () => lines.filter(({ status }) => status === 503)
  await until(() => ofThem().length > 0)
  const counts = ofThem().map(({ shed }) => shed as number)
  await until(() => sum(ofThem().map(({ shed }) => shed as number)) === 50)
  assert.ok(counts.length < 50, 'each had its own log line')
  assert.match(
    await metrics.metrics(),
    /drover_http_request_duration_seconds_count\{[^}]*status="503"[^}]*\} 50/,
  )
  assert.match(await metrics.metrics(), /drover_http_shed_total\{route="[^"]+"\} 50/)
})

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)

async function until(reached: () => boolean): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!reached()) {
    assert.ok(performance.now() < endMs, 'this point was never reached')
    await new Promise((turn) => setImmediate(turn))
  }
}
