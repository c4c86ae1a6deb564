import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inProcessSystem } from '../in-process-target.ts'
import { phonesOf } from './command.ts'
import { luckiest, runGuessing } from './run-guessing.ts'

/** A million guesses: `npm run fuzz -- guessing`. */
test('guesses of codes, links and order numbers are limited, and succeed no more often than by chance', async (t) => {
  const { system, fixture } = await inProcessSystem(t, { work: false })
  const site = { system, deps: fixture.deps, phones: phonesOf(20) }
  const results = await runGuessing(site, { seed: 7, guesses: 1_500, atOnce: 16 })
  assert.deepEqual(
    results.flatMap(({ wrong }) => wrong),
    [],
  )
  const of = (what: string) => results.find(({ target }) => target.what.startsWith(what))
  assert.ok(
    (of('a driver’s code, from one address')?.answers.rejected ?? 0) > 40,
    'the rate limit rejects most guesses',
  )
  assert.ok((of('the order number')?.answers.rejected ?? 0) > 90, 'the links are locked')
})

test('luckiest bounds chance hits: none for tiny probabilities, a few for likely ones', () => {
  assert.equal(luckiest(0), 0)
  assert.equal(luckiest(1e-5), 0)
  assert.equal(luckiest(0.25), 4)
})
