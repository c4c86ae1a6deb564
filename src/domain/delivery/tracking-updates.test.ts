import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Status } from './status.ts'
import { applyTrackingUpdates, type TrackingEffect, type TrackingUpdate } from './tracking-updates.ts'

const item: TrackingUpdate = {
  eventId: 'e1',
  atMs: 1_000,
  status: 'collected',
  subStatus: null,
  message: 'Collected',
}
const booked = { status: 'booked' as Status, subStatus: null, carrierEventAtMs: null }

test('an update moves a delivery along the transition table, with an event for each step', () => {
  const { status, effects } = applyTrackingUpdates(booked, [item])
  assert.equal(status, 'collected')
  assert.deepEqual(
    effects.map(({ from, to, type }) => [from, to, type]),
    [['booked', 'collected', 'delivery.status_changed']],
  )
})

test('adds the steps that the carrier skipped', () => {
  const { status, effects } = applyTrackingUpdates(booked, [{ ...item, status: 'delivered' }])
  assert.equal(status, 'delivered')
  assert.deepEqual(
    effects.map(({ from, to }) => [from, to]),
    [
      ['booked', 'collected'],
      ['collected', 'delivered'],
    ],
  )
})

test('a reassigned delivery continues with its next courier', () => {
  const items = (['reassigned', 'assigned', 'delivered'] as const).map((status, index) => ({
    ...item,
    eventId: `e${index}`,
    atMs: 1_000 + index,
    status,
  }))
  const { status, effects } = applyTrackingUpdates({ ...booked, status: 'assigned' }, items)
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
  const rebooked = applyTrackingUpdates({ ...booked, status: 'reassigned' }, [{ ...item, status: 'booked' }])
  assert.equal(rebooked.status, 'booked')
})

test('updates are applied in order of the carrier’s time', () => {
  const delivered = { ...item, eventId: 'e2', atMs: 2_000, status: 'delivered' as Status }
  const { status, effects } = applyTrackingUpdates(booked, [delivered, item])
  assert.equal(status, 'delivered')
  assert.equal(effects.filter(({ type }) => type === 'delivery.carrier_update').length, 0)
})

test('a late update never moves a delivery back, and is still reported', () => {
  const cases: [Status, number | null, Status][] = [
    ['delivered', 2_000, 'collected'],
    ['collected', 2_000, 'assigned'],
    ['collected', null, 'assigned'],
    ['cancelled', null, 'delivered'],
  ]
  for (const [status, carrierEventAtMs, late] of cases) {
    const result = applyTrackingUpdates({ status, subStatus: null, carrierEventAtMs }, [
      { ...item, status: late },
    ])
    assert.equal(result.status, status, `${status} after late ${late}`)
    assert.deepEqual(
      result.effects.map(({ type }) => type),
      ['delivery.carrier_update'],
    )
  }
})

test('a late step is applied and keeps the newer sub-status', () => {
  const delayed: TrackingUpdate = { ...item, eventId: 'e2', atMs: 2_000, status: null, subStatus: 'delayed' }
  const first = applyTrackingUpdates(booked, [delayed])
  const { status, subStatus, carrierEventAtMs, effects } = applyTrackingUpdates(first, [item], [delayed])
  assert.deepEqual([status, subStatus, carrierEventAtMs], ['collected', 'delayed', 2_000])
  assert.deepEqual(
    effects.map(({ type, to, atMs }) => [type, to, atMs]),
    [['delivery.status_changed', 'collected', 1_000]],
  )
})

test('a late final status applies at its own time', () => {
  const delayed: TrackingUpdate = { ...item, eventId: 'e2', atMs: 2_000, subStatus: 'delayed' }
  const first = applyTrackingUpdates(booked, [delayed])
  const { status, subStatus, carrierEventAtMs } = applyTrackingUpdates(
    first,
    [{ ...item, status: 'delivered', message: 'Delivered' }],
    [delayed],
  )
  assert.deepEqual([status, subStatus, carrierEventAtMs], ['delivered', null, 1_000])
})

test('a late reassignment does not undo the next courier’s updates', () => {
  const [one, next, collected] = (['assigned', 'assigned', 'collected'] as const).map((status, index) => ({
    ...item,
    eventId: `e${index}`,
    atMs: 1_000 * (1 + 2 * index),
    status,
  })) as [TrackingUpdate, TrackingUpdate, TrackingUpdate]
  const reassigned: TrackingUpdate = { ...item, eventId: 'late', atMs: 2_000, status: 'reassigned' }
  const cases: [TrackingUpdate[], Status, number][] = [
    [[one, next], 'assigned', 0],
    [[one, next, collected], 'collected', 0],
    [[{ ...one, status: 'collected' }, next], 'assigned', 2],
    [[one, { ...next, status: null }], 'reassigned', 1],
  ]
  for (const [earlier, expected, steps] of cases) {
    const { status, effects } = applyTrackingUpdates(
      applyTrackingUpdates({ ...booked }, earlier),
      [reassigned],
      earlier,
    )
    assert.equal(status, expected)
    assert.equal(effects.filter(({ to }) => to !== null).length, steps)
  }
})

test('a late problem is still an exception unless the delivery is final', () => {
  const damaged: TrackingUpdate = { ...item, eventId: 'e2', subStatus: 'damaged' }
  const cases: [Status, TrackingEffect['type'][]][] = [
    ['collected', ['delivery.carrier_update', 'delivery.exception']],
    ['pending_return', ['delivery.carrier_update', 'delivery.exception']],
    ['delivered', ['delivery.carrier_update']],
  ]
  for (const [status, types] of cases) {
    const newer: TrackingUpdate = { ...item, atMs: 2_000, status, subStatus: 'out_for_delivery' }
    const result = applyTrackingUpdates(applyTrackingUpdates(booked, [newer]), [damaged], [newer])
    assert.deepEqual([result.status, result.subStatus], [status, 'out_for_delivery'])
    assert.deepEqual(
      result.effects.map(({ type }) => type),
      types,
    )
  }
})

test('a more specific update changes the sub-status, and a problem is also an exception', () => {
  const collected = { ...booked, status: 'collected' as Status, carrierEventAtMs: 500 }
  const result = applyTrackingUpdates(collected, [
    { ...item, status: null, subStatus: 'attempted', message: 'Nobody home' },
  ])
  assert.equal(result.status, 'collected')
  assert.equal(result.subStatus, 'attempted')
  assert.deepEqual(
    result.effects.map(({ type }) => type),
    ['delivery.status_changed', 'delivery.exception'],
  )
})

test('a cancellation after collection keeps the status and raises an exception', () => {
  const ended: TrackingUpdate = { ...item, status: 'cancelled', message: 'Given up' }
  const undeliverable = { ...ended, subStatus: 'undeliverable' }
  const cases: [Status, TrackingUpdate, Status, string | null, string[]][] = [
    ['collected', ended, 'collected', 'undeliverable', ['delivery.status_changed', 'delivery.exception']],
    [
      'pending_return',
      ended,
      'pending_return',
      'undeliverable',
      ['delivery.status_changed', 'delivery.exception'],
    ],
    [
      'assigned',
      undeliverable,
      'collected',
      'undeliverable',
      ['delivery.status_changed', 'delivery.exception'],
    ],
    ['assigned', ended, 'cancelled', null, ['delivery.cancelled']],
    ['delivered', ended, 'delivered', null, ['delivery.carrier_update']],
  ]
  for (const [status, updates, expected, subStatus, types] of cases) {
    const after = applyTrackingUpdates({ ...booked, status }, [updates])
    assert.deepEqual([after.status, after.subStatus], [expected, subStatus], status)
    assert.deepEqual(
      after.effects.map(({ type }) => type),
      types,
      status,
    )
  }
})
