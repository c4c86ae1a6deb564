import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subStatusWords } from './sub-status-words.ts'

test('finer news is told in words, and what has none as it is called', () => {
  assert.equal(subStatusWords('attempted'), 'Tried, and nobody took it')
  assert.equal(subStatusWords('awaiting_customs'), 'awaiting customs')
})
