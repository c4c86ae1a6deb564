import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBreaches, judge, toBreaches } from '../../test/harness/promises.ts'
import { runningService } from '../../test/running-service.ts'
import { LOADS } from './loads.ts'
import { DAY_STORES } from './places.ts'
import { planDay } from './plan.ts'
import { runDay } from './run-day.ts'
import { openShop } from './shop.ts'
import { summarise, summaryText } from './summary.ts'
import { DAY_PROMISES, gatherSandboxDay } from './verify-day.ts'

const DELIVERIES = 60

test('a small day runs to its end: no delivery is stuck, lost or booked twice', async (t) => {
  const { url } = await runningService(t)
  const shop = await openShop(url, 'demo-operator')
  const jobs = planDay(11, DELIVERIES)
  const played = await runDay(shop, jobs, { dayStepMinutes: 240, laterStepHours: 72 }, () => {})
  const evidence = await gatherSandboxDay(shop, jobs, played)
  const summary = summarise(evidence, judge(DAY_PROMISES, evidence), 0)

  assert.deepEqual(toBreaches(summary.verdicts), [])
  assert.equal(summary.deliveries, DELIVERIES, JSON.stringify(summary.refused))
  assert.deepEqual(
    summary.carriers.map(({ carrier }) => carrier),
    ['big_haul', 'southern_parcels', 'swiftly'],
  )
  assert.ok((summary.states.delivered ?? 0) > DELIVERIES / 2, JSON.stringify(summary.states))
  assert.match(summaryText(summary), /No delivery is stuck/)
})

test('the promises report each fault of a day', async (t) => {
  const { url } = await runningService(t)
  const shop = await openShop(url, 'demo-operator')
  const [job] = planDay(1, 1)
  assert.ok(job)
  const body = { ...job.body, parcels: [] }
  const played = await runDay(
    shop,
    [{ ...job, body }],
    { dayStepMinutes: 720, laterStepHours: 720 },
    () => {},
  )
  const faulty = { ...played, created: new Map([['DAY-0', 'dlv_nowhere']]) }
  const breaches = findBreaches(DAY_PROMISES, await gatherSandboxDay(shop, [job], faulty))
  const wrong = breaches.map(({ text }) => text)
  assert.deepEqual(wrong, ['DAY-0 is lost', `${job.reference}: create 422 invalid_request`])
})

test('the same seed makes the same day, another seed makes another day', () => {
  assert.deepEqual(planDay(3, 50), planDay(3, 50))
  assert.notDeepEqual(planDay(3, 50), planDay(4, 50))
})

test('a day has every store and every kind of load', () => {
  const jobs = planDay(1, 1_000)
  assert.equal(new Set(jobs.map(({ body }) => body.store_reference)).size, DAY_STORES.length)
  for (const { name } of LOADS)
    assert.ok(
      jobs.some(({ reference }) => reference.includes(`-${name}`)),
      name,
    )
  assert.ok(jobs.some(({ body }) => body.delivery_mode === 'customer_pickup'))
  assert.ok(jobs.some(({ amendment }) => amendment !== null))
  assert.ok(jobs.some(({ cancelAtMs }) => cancelAtMs !== null))
})
