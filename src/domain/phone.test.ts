import assert from 'node:assert/strict'
import test from 'node:test'
import { toE164 } from './phone.ts'

test('a phone number is normalised to E.164', () => {
  const cases = [
    ['0491 570 156', '+61491570156'],
    ['+61491570156', '+61491570156'],
    ['+61 (0)491 570 157', '+61491570157'],
    ['0491-570-157', '+61491570157'],
    ['(03) 5550 1234', '+61355501234'],
    ['(08) 7010 1234', '+61870101234'],
    ['1300 975 707', '+611300975707'],
    ['0011 61 491 570 156', '+61491570156'],
    ['+64 21 123 4567', '+64211234567'],
    ['+1 202 555 0123', '+12025550123'],
    ['(03) 5550 1234 ext 5', '+61355501234'],
    ['(+61) 0491 570 110', '+61491570110'],
    ['(+61) 491 570 110', '+61491570110'],
    ['( +64 ) 21 123 4567', '+64211234567'],
    ['\u202A+61 491 570 156\u202C', '+61491570156'],
    ['\u200E0491 570 156\uFE0F', '+61491570156'],
  ] as const
  for (const [written, expected] of cases) assert.equal(toE164(written), expected, written)
  assert.equal(toE164('021 123 4567', 'nz'), '+64211234567')
})

test('text that is not a phone number is rejected', () => {
  const cases = [
    '',
    'ring the bell',
    '12345',
    '0391 234',
    '0491 570 15',
    '0491 570 1567',
    '+61',
    'call 0491570156',
    '000',
  ]
  for (const written of cases) assert.equal(toE164(written), null, written)
  assert.equal(toE164('0491 570 156', 'XX'), null)
})
