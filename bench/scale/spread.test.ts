import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ulid } from 'ulid'
import {
  BIG_ACCOUNT,
  copyAt,
  DAY_MS,
  DAYS,
  idTimeBefore,
  lastAccountNumber,
  weekdayMorningAfter,
  weekdayMorningBefore,
} from './spread.ts'

const SIZE = { deliveries: 4_000, accounts: 21 }
const ORIGINALS = 20
const all = Array.from({ length: SIZE.deliveries }, (_, number) => copyAt(number, SIZE, ORIGINALS))

test('the big account has half of the deliveries, and the others share the rest equally', () => {
  const counts = new Map<string, number>()
  for (const { account } of all) counts.set(account, (counts.get(account) ?? 0) + 1)
  assert.equal(counts.get(BIG_ACCOUNT), 2_000)
  counts.delete(BIG_ACCOUNT)
  assert.deepEqual([...new Set(counts.values())], [100])
  assert.equal(counts.size, 20)
  assert.ok(counts.has(`shop-${lastAccountNumber(SIZE)}`))
})

test('copies run from the oldest day to yesterday, as many on each', () => {
  assert.equal(all[0]?.daysAgo, DAYS)
  assert.equal(all.at(-1)?.daysAgo, 1)
  const days = new Map<number, number>()
  for (const { daysAgo } of all) days.set(daysAgo, (days.get(daysAgo) ?? 0) + 1)
  assert.equal(days.size, DAYS)
  assert.ok(Math.max(...days.values()) - Math.min(...days.values()) <= 1)
})

test('every account has copies of every original, whatever divisors the numbers have in common', () => {
  for (const account of [BIG_ACCOUNT, 'shop-3', 'shop-22']) {
    const seen = new Set(all.filter((copy) => copy.account === account).map(({ original }) => original))
    assert.equal(seen.size, ORIGINALS, account)
  }
})

test('a copy’s id contains its own day', () => {
  const ms = Date.parse('2026-11-24T03:04:05.678Z')
  const id = `dlv_${ulid(ms).toLowerCase()}`
  assert.equal(idTimeBefore(id, 0), id.slice(4, 14))
  assert.equal(
    idTimeBefore(id, 395),
    ulid(ms - 395 * DAY_MS)
      .slice(0, 10)
      .toLowerCase(),
  )
})

test('stores are open when a life begins: weekdays at 10 am', () => {
  const at = (text: string) => Date.parse(text)
  assert.equal(weekdayMorningBefore(at('2026-11-24T10:00:00+10:00')), at('2026-11-24T10:00:00+10:00'))
  assert.equal(weekdayMorningBefore(at('2026-11-24T09:59:00+10:00')), at('2026-11-23T10:00:00+10:00'))
  assert.equal(weekdayMorningBefore(at('2026-11-29T12:00:00+10:00')), at('2026-11-27T10:00:00+10:00'))
  assert.equal(weekdayMorningAfter(at('2026-11-27T10:00:00+10:00')), at('2026-11-30T10:00:00+10:00'))
  assert.equal(weekdayMorningAfter(at('2026-11-24T09:00:00+10:00')), at('2026-11-24T10:00:00+10:00'))
})
