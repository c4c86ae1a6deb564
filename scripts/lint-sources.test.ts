import assert from 'node:assert/strict'
import test from 'node:test'
import { lintSources } from './lint-sources.ts'

test('text that belongs to one file is reported in any other file', () => {
  const cases: [string, string, boolean][] = [
    ['src/domain/quoting/price.ts', 'const now = Date.now()', false],
    ['src/domain/quoting/price.ts', 'const now = new Date( )', false],
    ['src/domain/quoting/price.ts', 'const at = new Date(createdAtMs)', true],
    ['src/domain/quoting/price.ts', 'if (Math.random() < 0.5) return', false],
    ['src/domain/quoting/price.ts', ' * Never Date.now() here.', true],
    ['src/domain/quoting/price.test.ts', 'const now = Date.now()', true],
    ['src/work/runner.ts', 'const now = Date.now()', true],
    ['src/operations/book.ts', 'await fetch(url)', false],
    ['src/operations/book.ts', 'await rows.fetch(url)', true],
    ['src/operations/book.ts', 'await prefetch(url)', true],
    ['src/carriers/port/send.ts', 'await fetch(url)', true],
    ['src/notify/sms/send.ts', 'await fetch(url)', true],
    ['src/http/server/server.ts', 'const port = process.env.PORT', false],
    ['src/config.ts', 'const port = process.env.PORT', true],
    ['src/store/webhooks/due-webhooks.ts', 'update webhooks set claims = claims + 1', false],
    ['src/store/webhooks/due-webhooks.ts', 'update webhooks as w set claims = w.claims + 1', false],
    ['src/store/leases/claim-due.ts', 'claims = claims + 1', true],
    ['src/store/deliveries/booking-intents.ts', "set option = json_build_object('a', b->'a')", false],
    ['src/store/deliveries/booking-intents.ts', "select json_build_object('a', b) as c", true],
  ]
  for (const [path, text, allowed] of cases) {
    assert.equal(lintSources([{ path, text }]).length === 0, allowed, `${path}: ${text}`)
  }
})
