import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFaults } from './fault-names.ts'
import { faultInjector } from './faults.ts'

test('a fault is written as one line', () => {
  const once = { times: 1, every: 1 }
  assert.deepEqual(
    parseFaults(
      'create_shipments=lost, *=slow:200/20, track=status:503*3,book=cut**,book=failed_answer:422,*=failed_answer',
    ),
    [
      { ...once, operation: 'create_shipments', kind: 'lost' },
      { ...once, operation: '*', kind: 'slow', ms: 200, every: 20 },
      { ...once, operation: 'track', kind: 'status', status: 503, times: 3 },
      { ...once, operation: 'book', kind: 'cut', times: null },
      { ...once, operation: 'book', kind: 'failed_answer', status: 422 },
      { ...once, operation: '*', kind: 'failed_answer', status: 400 },
    ],
  )
  assert.deepEqual(parseFaults(''), [])
})

test('an unknown fault is reported', () => {
  const wrong = [
    'lost',
    'book=eaten',
    'book=slow',
    'book=status:200',
    'book=failed_answer:200',
    'book=lost*0',
    'book=lost:5',
    'a b=lost',
  ]
  for (const text of wrong)
    assert.throws(() => parseFaults(text), new RegExp(`"${text.replaceAll('*', '\\*')}"`), text)
})

test('a fault hits every n-th request of its operation, the given number of times', () => {
  const injector = faultInjector(['book', 'track'])
  injector.add({ kind: 'cut', operation: 'book', every: 3, times: 2 })
  const struck = Array.from(
    { length: 12 },
    (_, index) => injector.strike(index === 0 ? 'track' : 'book').length,
  )
  assert.deepEqual(struck, [0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0])
})
