import assert from 'node:assert/strict'
import test from 'node:test'
import { isUnavailable } from './unavailable.ts'

const withCode = (code: string) => Object.assign(new Error('some words'), { code })

test('the database being away, full or slow is told from a mistake', () => {
  const cases: [unknown, boolean][] = [
    [withCode('ECONNREFUSED'), true],
    [withCode('57P01'), true],
    [withCode('57P03'), true],
    [withCode('57014'), true],
    [withCode('53100'), true],
    [withCode('53300'), true],
    [withCode('08006'), true],
    [withCode('23505'), false],
    [withCode('40001'), false],
    [withCode('42P01'), false],
    [new Error('Connection terminated unexpectedly'), true],
    [new Error('timeout exceeded when trying to connect'), true],
    [new Error('Connection refused by the customer'), false],
    [new Error('reading', { cause: withCode('57P02') }), true],
    [new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]), true],
    ['ECONNREFUSED', false],
    [null, false],
  ]
  for (const [error, expected] of cases) assert.equal(isUnavailable(error), expected, String(error))
})
