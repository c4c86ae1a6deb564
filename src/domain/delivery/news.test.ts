import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyNews, type NewsItem } from './news.ts'
import type { Status } from './status.ts'

const item: NewsItem = { eventId: 'e1', atMs: 1_000, status: 'collected', subStatus: null, said: 'Collected' }
const booked = { status: 'booked' as Status, subStatus: null, carrierEventAtMs: null }

test('news moves a delivery along the table, each edge with its event', () => {
  const { status, effects } = applyNews(booked, [item])
  assert.equal(status, 'collected')
  assert.deepEqual(
    effects.map(({ from, to, type }) => [from, to, type]),
    [['booked', 'collected', 'delivery.status_changed']],
  )
})

test('steps that the carrier skipped are walked', () => {
  const { status, effects } = applyNews(booked, [{ ...item, status: 'delivered' }])
  assert.equal(status, 'delivered')
  assert.deepEqual(
    effects.map(({ from, to }) => [from, to]),
    [
      ['booked', 'collected'],
      ['collected', 'delivered'],
    ],
  )
})

test('what its courier was taken off goes on with the next one', () => {
  const items = (['reassigned', 'assigned', 'delivered'] as const).map((status, index) => ({
    ...item,
    eventId: `e${index}`,
    atMs: 1_000 + index,
    status,
  }))
  const { status, effects } = applyNews({ ...booked, status: 'assigned' }, items)
  assert.equal(status, 'delivered')
  assert.deepEqual(
    effects.map(({ from, to }) => [from, to]),
    [
      ['assigned', 'reassigned'],
      ['reassigned', 'assigned'],
      ['assigned', 'collected'],
      ['collected', 'delivered'],
    ],
  )
  const again = applyNews({ ...booked, status: 'reassigned' }, [{ ...item, status: 'booked' }])
  assert.equal(again.status, 'booked')
})

test('news is applied by the carrier’s time, however it arrives', () => {
  const delivered = { ...item, eventId: 'e2', atMs: 2_000, status: 'delivered' as Status }
  const { status, effects } = applyNews(booked, [delivered, item])
  assert.equal(status, 'delivered')
  assert.equal(effects.filter(({ type }) => type === 'delivery.carrier_news').length, 0)
})

test('late news never moves a delivery back, and is told all the same', () => {
  const cases: [Status, number | null, Status][] = [
    ['delivered', 2_000, 'collected'],
    ['collected', 2_000, 'assigned'],
    ['collected', null, 'assigned'],
    ['cancelled', null, 'delivered'],
  ]
  for (const [status, carrierEventAtMs, late] of cases) {
    const result = applyNews({ status, subStatus: null, carrierEventAtMs }, [{ ...item, status: late }])
    assert.equal(result.status, status, `${status} after late ${late}`)
    assert.deepEqual(
      result.effects.map(({ type }) => type),
      ['delivery.carrier_news'],
    )
  }
})

test('finer news changes the sub-status; what a person should see is an exception too', () => {
  const collected = { ...booked, status: 'collected' as Status, carrierEventAtMs: 500 }
  const result = applyNews(collected, [
    { ...item, status: null, subStatus: 'attempted', said: 'Nobody home' },
  ])
  assert.equal(result.status, 'collected')
  assert.equal(result.subStatus, 'attempted')
  assert.deepEqual(
    result.effects.map(({ type }) => type),
    ['delivery.status_changed', 'delivery.exception'],
  )
})

test('what is cancelled after it was collected stays where it is, for a person to see', () => {
  const ended: NewsItem = { ...item, status: 'cancelled', said: 'Given up' }
  const told = { ...ended, subStatus: 'undeliverable' }
  const cases: [Status, NewsItem, Status, string | null, string[]][] = [
    ['collected', ended, 'collected', 'undeliverable', ['delivery.status_changed', 'delivery.exception']],
    [
      'pending_return',
      ended,
      'pending_return',
      'undeliverable',
      ['delivery.status_changed', 'delivery.exception'],
    ],
    ['assigned', told, 'collected', 'undeliverable', ['delivery.status_changed', 'delivery.exception']],
    ['assigned', ended, 'cancelled', null, ['delivery.cancelled']],
    ['delivered', ended, 'delivered', null, ['delivery.carrier_news']],
  ]
  for (const [status, news, expected, subStatus, types] of cases) {
    const after = applyNews({ ...booked, status }, [news])
    assert.deepEqual([after.status, after.subStatus], [expected, subStatus], status)
    assert.deepEqual(
      after.effects.map(({ type }) => type),
      types,
      status,
    )
  }
})
