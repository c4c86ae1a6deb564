import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeState, type Transitions } from './state-machine.ts'

const TRAFFIC_LIGHT: Transitions<'red' | 'green' | 'amber'> = {
  red: ['green'],
  green: ['amber'],
  amber: ['red'],
}

test('a state machine changes to a state that the table allows, and throws for any other', () => {
  assert.equal(changeState(TRAFFIC_LIGHT, 'red', 'green'), 'green')
  assert.throws(() => changeState(TRAFFIC_LIGHT, 'green', 'red'), /red may not follow green/)
  assert.throws(() => changeState(TRAFFIC_LIGHT, 'red', 'red'), /red may not follow red/)
})
