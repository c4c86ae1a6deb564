import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentOf, wallNear } from './page-times.ts'

const at = Date.parse

test('a time shows its day unless that is today in its time zone', () => {
  const moment = '2026-11-24T10:42:00+11:00'
  assert.equal(momentOf(moment, at('2026-11-24T23:59:00+11:00')), '10:42 am')
  assert.equal(momentOf(moment, at('2026-11-25T00:00:00+11:00')), 'Tuesday 24 November, 10:42 am')
})

test('a wall clock keeps the offset of its timestamp', () => {
  const now = at('2026-11-24T00:30:00Z')
  assert.equal(wallNear('2026-11-24T11:00:00+11:00', now).minute, 11 * 60 + 30)
  assert.equal(wallNear('2026-11-24T08:00:00-03:30', now).minute, 21 * 60)
  assert.equal(wallNear('2026-11-24T00:00:00Z', now).minute, 30)
})
