import assert from 'node:assert/strict'
import { test } from 'node:test'
import { courierNumberIssues, customerNumberIssues, type NumberKind, numberKind } from './sms-number.ts'

const AUSTRALIA = new Set(['AU'])

test('SMS go only to mobiles of the account’s countries, never to premium numbers', () => {
  const cases: [number: string, NumberKind][] = [
    ['+61491570156', 'mobile'],
    ['+61412345678', 'mobile'],
    ['+672381234', 'mobile'],
    ['+61355501234', 'no_sms'],
    ['+61891641234', 'no_sms'],
    ['+611300975707', 'no_sms'],
    ['+61131114', 'no_sms'],
    ['+611800641792', 'no_sms'],
    ['+611900654321', 'premium'],
    ['+611906543210', 'premium'],
    ['+979123456789', 'premium'],
    ['+61147101234', 'satellite'],
    ['+61145101234', 'satellite'],
    ['+881631234567', 'satellite'],
    ['+870773111632', 'satellite'],
    ['+883510012345678', 'satellite'],
    ['+64211234567', 'elsewhere'],
    ['+12025550123', 'elsewhere'],
    ['+447911123456', 'elsewhere'],
  ]
  for (const [number, kind] of cases) assert.equal(numberKind(number, AUSTRALIA), kind, number)
  assert.equal(numberKind('+64211234567', new Set(['AU', 'NZ'])), 'mobile')
  assert.equal(numberKind('+12025550123', new Set(['US'])), 'mobile')
  assert.equal(numberKind('+61491570156', new Set(['NZ'])), 'elsewhere')
})

test('an error names the field, the rule and the remedy, never the number', () => {
  const customer = (number: string) => customerNumberIssues(number, AUSTRALIA).map(({ message }) => message)
  assert.deepEqual(customer('+61355501234'), [], 'a customer may have a landline')
  assert.deepEqual(customer('+64211234567'), [], 'a customer may have a number of another country')
  assert.match(
    courierNumberIssues('phone', '+64211234567', AUSTRALIA)[0]?.message ?? '',
    /only to numbers in AU\./,
  )
  assert.match(customer('+611900654321')[0] ?? '', /premium-rate number.+suppress_notifications\.$/)
  assert.deepEqual(courierNumberIssues('phone', '+61355501234', AUSTRALIA), [
    {
      field: 'phone',
      issue: 'invalid_value',
      message:
        'phone is a number that cannot receive SMS, such as a landline. Couriers get jobs and login codes by SMS. Use the courier’s own mobile number.',
    },
  ])
  assert.deepEqual(courierNumberIssues('phone', '+61491570156', AUSTRALIA), [])
  assert.deepEqual(courierNumberIssues('phone', null, AUSTRALIA), [], 'an invalid number has its own issue')
})
