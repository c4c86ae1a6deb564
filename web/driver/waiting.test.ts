import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DriverJob } from '../shared/api.generated.ts'
import { hashOf, routeOf } from './route.ts'
import { readAnswer } from './step-answer.ts'
import { freshPosition } from './use-whereabouts.ts'
import {
  listSendable,
  logoutBlockers,
  mayDeleteWaiting,
  type Waiting,
  withoutProof,
  withWaiting,
} from './waiting.ts'

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
    listSendable(waiting, 9).map(({ id }) => id),
    ['collect-1', 'b-1'],
  )
  assert.deepEqual(
    listSendable(waiting, 10).map(({ id }) => id),
    ['collect-1', 'deliver-1', 'return-1', 'b-1'],
  )
  assert.deepEqual(
    listSendable(waiting, 10, new Map([['collect-1', 11]])).map(({ id }) => id),
    ['b-1'],
    'a step that is sent again later holds up its own job only',
  )
})

test('only Drover decides about a step: without its answer the phone keeps it', async () => {
  const problem = 'application/problem+json; charset=utf-8'
  const code = '{"code":"job_not_open","detail":"No."}'
  const photo = { reason: 'damaged', image: '/9j/' }
  const cases: [Waiting, status: number, type: string, text: string, expected: string][] = [
    [step('deliver'), 200, 'application/json; charset=utf-8', '{}', 'done'],
    [step('deliver'), 200, 'text/html', '<h1>Log in to our Wi-Fi</h1>', 'later job  false'],
    [step('deliver'), 403, 'text/html', '<h1>Blocked</h1>', 'later job  false'],
    [step('deliver'), 404, 'application/json', '{"code":"blocked"}', 'later job  false'],
    [step('approach'), 409, 'text/html', '', 'later job  false'],
    [step('deliver'), 409, problem, 'cut o', 'later job  false'],
    [step('deliver'), 413, 'text/html', '<h1>Too large</h1>', 'later job  false'],
    [step('deliver'), 503, problem, code, 'later all server false'],
    [step('deliver'), 408, problem, code, 'later job  false'],
    [step('deliver'), 429, problem, code, 'later all  false'],
    [step('deliver'), 401, problem, code, 'later all  true'],
    [step('deliver'), 409, problem, code, 'rejected 409'],
    [step('approach'), 409, problem, code, 'done'],
    [step('fail', { body: { reason: 'damaged' } }), 409, problem, code, 'done'],
    [step('fail', { body: photo }), 409, problem, code, 'rejected 409'],
  ]
  for (const [one, status, type, text, expected] of cases) {
    const answer = await readAnswer(one, new Response(text, { status, headers: { 'content-type': type } }))
    const words = Object.values(answer).filter((value) => value !== 'No.')
    assert.equal(words.join(' '), expected, `${one.verb} ${status} ${type}`)
  }
  assert.deepEqual(await readAnswer(step('deliver'), null), {
    kind: 'later',
    waits: 'all',
    lost: 'signal',
    loggedOut: false,
  })
})

test('a sent step without its proof changes the list as before', () => {
  const failed = withoutProof(step('fail', { body: { reason: 'damaged', image: '/9j/' } }))
  assert.deepEqual(failed.body, { reason: 'damaged' })
  const delivered = withoutProof(step('deliver', { jobId: 'b', body: { proof: { image: '/9j/' } } }))
  assert.deepEqual(delivered.body, {})
  assert.deepEqual(
    withWaiting([job, other], [failed, delivered]).map(({ status }) => status),
    ['pending_return'],
  )
})

test('a driver does not log out while only their phone has a step or a photo', () => {
  assert.deepEqual(logoutBlockers([], []), [])
  assert.deepEqual(logoutBlockers([], [{}]), [], 'a message alone may go')
  assert.match(logoutBlockers([step('deliver')], []).join(), /^1 update not sent yet/)
  const held = logoutBlockers([], [{ photo: '/9j/' }, { resendOnLogin: step('collect') }, {}])
  assert.match(held.join(), /^2 updates did not go through/)
})

test('a driver may delete steps only if none of them can be sent', () => {
  const first = { id: 'p1', jobId: 'a' }
  const after = { id: 'p2', jobId: 'a' }
  const other = { id: 'p3', jobId: 'b' }
  assert.equal(mayDeleteWaiting([], []), false)
  assert.equal(mayDeleteWaiting([first, after], []), false)
  assert.equal(mayDeleteWaiting([first, after], ['p1']), true, 'the second waits for the first')
  assert.equal(mayDeleteWaiting([first, other], ['p1']), false)
  assert.equal(mayDeleteWaiting([first, other], ['p1', 'p3']), true)
})

test('a proof has no position that is older than two minutes', () => {
  const position = { lat: -37.8, lng: 145 }
  const fix = { position, atMs: 1_000_000 }
  assert.equal(freshPosition(fix, 1_120_000), position)
  assert.equal(freshPosition(fix, 1_120_001), null)
  assert.equal(freshPosition(null, 1_000_000), null)
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
