import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { stateDiagramsText } from './state-diagrams.ts'

test('the state diagrams match the code (if not: node scripts/with-node.mjs scripts/build-state-diagrams.ts)', () => {
  const written = readFileSync(new URL('../docs/state-diagrams.md', import.meta.url), 'utf8')
  assert.equal(written, stateDiagramsText())
})

test('a diagram has each transition, its event, and the states that end', () => {
  const text = stateDiagramsText()
  for (const line of [
    '  [*] --> created',
    '  requested --> booked: delivery.booked',
    '  delivered --> [*]',
    '  unknown --> accepted',
  ])
    assert.ok(text.split('\n').includes(line), line)
})
