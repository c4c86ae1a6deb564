import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preparedWhenOften } from './prepared-when-often.ts'

test('a statement is prepared once it is frequent, under a stable name', () => {
  const named = preparedWhenOften('change')
  const use = (text: string, times: number) => Array.from({ length: times }, () => named(text).name ?? null)
  assert.deepEqual(new Set(use('rare', 20)), new Set([null]))
  assert.deepEqual(use('often', 22).slice(-3), [null, 'change/2', 'change/2'])
  assert.deepEqual(use('rare', 2), ['change/1', 'change/1'])
  assert.deepEqual(use('often', 1), ['change/2'])
})
