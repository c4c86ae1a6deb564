import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSubStatus } from './sub-status-texts.ts'

test('a sub-status has its own text, or else its name', () => {
  assert.equal(formatSubStatus('attempted'), 'Delivery attempted, nobody accepted it')
  assert.equal(formatSubStatus('awaiting_customs'), 'awaiting customs')
})
