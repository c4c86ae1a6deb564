import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { WEEKDAYS } from '../values.ts'
import { type HoursByKey, isSameWeek, toHoursByDay, withDay } from './hours-by-day.ts'

test('a day is changed by its own key, and a key that says nothing new is left out', () => {
  const rows: [HoursByKey, Parameters<typeof withDay>[1], string[], HoursByKey][] = [
    [{ 'mon-sat': '09:00-17:00' }, 'sat', ['09:00-13:00'], { 'mon-sat': '09:00-17:00', sat: '09:00-13:00' }],
    [{ 'mon-sat': '09:00-17:00', sat: '09:00-13:00' }, 'sat', ['09:00-17:00'], { 'mon-sat': '09:00-17:00' }],
    [
      { sun: 'closed', mon: '09:00-17:00' },
      'sun',
      ['10:00-12:00'],
      { sun: '10:00-12:00', mon: '09:00-17:00' },
    ],
    [{ 'mon-sat': '09:00-17:00' }, 'mon', [], { 'mon-sat': '09:00-17:00', mon: 'closed' }],
    [{ mon: '09:00-17:00' }, 'mon', [], {}],
    [{}, 'tue', ['08:00-12:00', '13:00-17:00'], { tue: ['08:00-12:00', '13:00-17:00'] }],
  ]
  for (const [hours, day, ranges, expected] of rows) {
    const changed = withDay(hours, day, ranges)
    assert.equal(JSON.stringify(changed), JSON.stringify(expected))
  }
})

test('a changed day changes no other day', () => {
  const range = fc.constantFrom('08:00-12:00', '09:00-17:00', '13:00-18:30')
  const value = fc.oneof(range, fc.constant('closed'), fc.constant(['08:00-12:00', '13:00-18:30']))
  const hours = fc.dictionary(fc.constantFrom(...WEEKDAYS, 'mon-fri', 'sat-sun'), value, { maxKeys: 6 })
  fc.assert(
    fc.property(
      hours,
      fc.constantFrom(...WEEKDAYS),
      fc.subarray(['08:00-12:00', '13:00-18:30']),
      (week, day, ranges) => {
        const [before, after] = [toHoursByDay(week), toHoursByDay(withDay(week, day, ranges))]
        for (const other of WEEKDAYS) assert.deepEqual(after[other], other === day ? ranges : before[other])
        assert.ok(isSameWeek(withDay(withDay(week, day, ranges), day, before[day]), week))
      },
    ),
  )
})
