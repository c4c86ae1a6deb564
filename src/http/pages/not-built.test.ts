import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notBuiltAnswer } from './serve-pages.ts'

test('before the build a page reloads itself, and other clients get a sentence', () => {
  const page = notBuiltAnswer(true)
  assert.match(page.headers['content-type'] ?? '', /^text\/html/)
  assert.match(page.body, /<meta http-equiv="refresh" content="3">/)
  assert.match(page.headers['content-security-policy'] ?? '', /default-src 'none'/)
  assert.doesNotMatch(page.body, /<script|<style|style=/)
  const text = notBuiltAnswer(false)
  assert.match(text.headers['content-type'] ?? '', /^text\/plain/)
  assert.match(text.body, /npm run build\n$/)
  for (const { headers } of [page, text]) {
    assert.equal(headers['retry-after'], '3')
    assert.equal(headers['cache-control'], 'no-store')
  }
})
