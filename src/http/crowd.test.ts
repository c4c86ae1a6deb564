import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { testWorld } from '../../test/world.ts'
import { gateOf } from './admission.ts'
import type { HttpDeps } from './deps.ts'
import { type Answer, type Endpoint, json } from './endpoint.ts'
import { serve } from './serve.ts'

test('who comes to a full endpoint is told at once to come back, and is let in when there is room', async (t) => {
  const { deps } = await testWorld(t, { work: false })
  const waiting: (() => void)[] = []
  const endpoint = {
    method: 'GET',
    url: '/slow',
    access: 'public',
    answers: {},
    refusals: [],
    atOnce: 2,
    handle: () => new Promise<Answer>((resolve) => waiting.push(() => resolve(json(200, { data: 'done' })))),
  } as unknown as Endpoint
  const app = Fastify()
  t.after(() => app.close())
  serve(app, deps as HttpDeps, gateOf(deps as HttpDeps), endpoint)
  const ask = () => app.inject('/slow')

  const first = [ask(), ask()]
  await until(() => waiting.length === 2)
  const turnedAway = await ask()
  assert.equal(turnedAway.statusCode, 503)
  assert.equal(turnedAway.headers['retry-after'], '1')
  assert.equal(turnedAway.json().code, 'service_unavailable')
  assert.equal(waiting.length, 2, 'it was worked on all the same')

  for (const finish of waiting.splice(0)) finish()
  for (const answer of await Promise.all(first)) assert.equal(answer.statusCode, 200)
  const later = ask()
  await until(() => waiting.length === 1)
  waiting[0]?.()
  assert.equal((await later).statusCode, 200)
})

async function until(reached: () => boolean): Promise<void> {
  const endMs = performance.now() + 30_000
  while (!reached()) {
    assert.ok(performance.now() < endMs, 'it never came to that')
    await new Promise((turn) => setImmediate(turn))
  }
}
