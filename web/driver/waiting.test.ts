import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DriverJob } from '../shared/api.generated.ts'
import { hashOf, routeOf } from './route.ts'
import { sendable, type Waiting, withWaiting } from './waiting.ts'

const parcels = [
  { reference: 'P1', quantity: 3 },
  { reference: 'P2', quantity: 1 },
] as DriverJob['parcels']
const job = { id: 'a', status: 'assigned', parcels } as DriverJob
const other = { id: 'b', status: 'collected', parcels } as DriverJob
const step = (verb: Waiting['verb'], over: Partial<Waiting> = {}): Waiting => ({
  id: `${verb}-1`,
  jobId: 'a',
  verb,
  body: {},
  about: '',
  notBeforeMs: 0,
  ...over,
})

test('steps that wait to be sent already show in the driver’s job', () => {
  const cases: [Waiting[], string | undefined][] = [
    [[], 'assigned'],
    [[step('approach')], 'approaching'],
    [[step('approach'), step('collect')], 'collected'],
    [[step('collect'), step('deliver')], undefined],
    [[step('fail', { body: { reason: 'refused' } })], 'pending_return'],
    [[step('fail', { body: { reason: 'nobody_home' } })], 'assigned'],
    [[step('fail', { body: { reason: 'damaged' } }), step('return')], undefined],
  ]
  for (const [waiting, status] of cases) {
    const [first, second] = withWaiting([job, other], waiting)
    const found = first?.id === 'a' ? first : undefined
    assert.equal(found?.status, status)
    assert.equal((found ? second : first)?.status, 'collected', 'the other job is unchanged')
  }
})

test('steps of a job are sent in order, and no step before its time', () => {
  const waiting = [
    step('collect'),
    step('deliver', { notBeforeMs: 10 }),
    step('return'),
    step('collect', { id: 'b-1', jobId: 'b' }),
  ]
  assert.deepEqual(
    sendable(waiting, 9).map(({ id }) => id),
    ['collect-1', 'b-1'],
  )
  assert.deepEqual(
    sendable(waiting, 10).map(({ id }) => id),
    ['collect-1', 'deliver-1', 'return-1', 'b-1'],
  )
})

test('every page of the app has an address, and any other address opens home', () => {
  for (const page of ['job', 'collect', 'proof', 'cannot'] as const) {
    const route = { page, job: 'dlv_1/?' }
    assert.deepEqual(routeOf(hashOf(route)), route)
  }
  for (const odd of ['', '#', '#/', '#/nowhere/x', '#/jobs', '#/jobs/']) {
    assert.deepEqual(routeOf(odd), { page: 'home' })
  }
  assert.deepEqual(routeOf('#/jobs/token-of-a-link'), { page: 'job', job: 'token-of-a-link' })
})

test('the next stop counts collected parcels, also while offline', () => {
  const cases: [object, [string, number][]][] = [
    [
      {},
      [
        ['P1', 3],
        ['P2', 1],
      ],
    ],
    [{ parcel_references: ['P2'] }, [['P2', 1]]],
    [{ parcels: [{ reference: 'P1', quantity: 2 }] }, [['P1', 2]]],
  ]
  for (const [body, left] of cases) {
    const [first] = withWaiting([job], [step('collect', { body })])
    assert.deepEqual(
      first?.parcels.map(({ reference, quantity }) => [reference, quantity]),
      left,
    )
  }
})
