import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeServer } from '../../src/http/server/stop.ts'
import { apiOf, OPERATOR } from '../api.ts'
import { testFixture } from '../fixture.ts'
import { textFor } from './report.ts'
import { runFuzz, type Send } from './run.ts'

const CASES = 600

test('every request, valid or not, gets a response that OpenAPI documents, and never a 5xx', async (t) => {
  const fixture = await testFixture(t)
  const app = apiOf(fixture)
  t.after(() => closeServer(app, { drainMs: 0, withinMs: 500 }))
  const send: Send = async ({ method, url, headers, body }) => {
    const reply = await app.inject({
      method: method as 'GET',
      url,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    const media = String(reply.headers['content-type'] ?? '')
    const json = media.includes('json') && reply.body !== '' ? JSON.parse(reply.body) : null
    return { status: reply.statusCode, media, text: reply.body, json }
  }
  const result = await runFuzz({ send, operator: OPERATOR, seed: 7, cases: CASES, atOnce: 4 })
  assert.deepEqual(result.failures.map(textFor), [])
  const tallies = [...result.tallies.values()]
  const sum = (of: 'accepted' | 'rejected') => tallies.reduce((all, one) => all + one[of], 0)
  assert.ok(
    tallies.every(({ sent }) => sent > 0),
    'every operation got a request',
  )
  assert.ok(sum('accepted') > CASES / 10, `only ${sum('accepted')} were accepted`)
  assert.ok(sum('rejected') > CASES / 10, `only ${sum('rejected')} were rejected`)
})
