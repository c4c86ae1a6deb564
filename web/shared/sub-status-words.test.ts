import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subStatusWords } from './sub-status-words.ts'

test('a sub-status has its own text, or else its name', () => {
  assert.equal(subStatusWords('attempted'), 'Tried, and nobody took it')
  assert.equal(subStatusWords('awaiting_customs'), 'awaiting customs')
})
