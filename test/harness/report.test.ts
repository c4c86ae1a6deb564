import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countEach, errorsIn, figureTable, ruleOfThree, toSeconds } from './report.ts'

test('zero failures prove a bound by the rule of three; without trials they prove nothing', () => {
  assert.equal(ruleOfThree(300), 'fewer than 1.0 in 100')
  assert.equal(ruleOfThree(0), 'nothing')
})

test('errorsIn finds the errors of a log, and its warnings on request', () => {
  const log =
    '{"level":30,"msg":"started"}\n{"level":40,"msg":"slow"}\nplain text\n{"level":50,"msg":"broken"}\n'
  assert.deepEqual(errorsIn(log), ['{"level":50,"msg":"broken"}'])
  assert.equal(errorsIn(log, 'warn').length, 2)
  assert.deepEqual(errorsIn(''), [])
})

test('a table of figures has aligned columns, with times in seconds', () => {
  assert.equal(figureTable([['seed', 7]]), `  ${'seed'.padEnd(32)} 7`)
  assert.equal(toSeconds(1_250), '1.3 s')
  assert.equal(toSeconds(null), '–')
  assert.deepEqual(countEach(['booked', 'on_hold', 'booked']), { booked: 2, on_hold: 1 })
})
