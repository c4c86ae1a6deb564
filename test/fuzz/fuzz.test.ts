import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATOR } from '../api.ts'
import { testFixture } from '../fixture.ts'
import { owned } from '../harness/clean-ups.ts'
import { asker } from '../harness/http.ts'
import { serveApi } from '../harness/serve-api.ts'
import { textFor } from './report.ts'
import { runFuzz } from './run.ts'

const CASES = 600

test('every request, valid or not, gets a response that OpenAPI documents, and never a 5xx', async (t) => {
  const fixture = await testFixture(t)
  const { url } = owned(t, await serveApi(fixture.deps, OPERATOR))
  const result = await runFuzz({ ask: asker(url), operator: OPERATOR, seed: 7, cases: CASES, atOnce: 4 })
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
