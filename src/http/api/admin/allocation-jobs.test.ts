import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, testApi } from '../../../../test/api.ts'
import { limitedToken } from '../../../../test/limited-client.ts'
import { untilIdle } from '../../../../test/until-idle.ts'
import { until } from '../../../../test/wait-until.ts'
import { claimAllocationJobs, settleAllocationJob } from '../../../store/allocation/allocation-jobs.ts'

/** Jobs are due by wall time, not by account time. */
const DEMO = { accountIds: ['demo'], nowsMs: [Date.now()] }
const ALLOCATE = 'POST /demo/deliveries/quote/allocation'
const STATUS = 'GET /demo/deliveries/quote/allocation/status/'
const flinders = { latitude: -37.8183, longitude: 144.9671 }

/** Polls as an integrator would. */
function ended(api: Api, jobId: string): Promise<Record<string, unknown>> {
  return until(async () => {
    const { json } = await api.call(STATUS + jobId)
    return (json.status === 'done' || json.status === 'failed') && json
  }, `job ${jobId} ended`)
}

async function createJob(api: Api, body: object = {}): Promise<string> {
  const reply = await api.call(ALLOCATE, { body: { address: flinders, use_async: true, ...body } })
  assert.equal(reply.status, 202, reply.text)
  assert.deepEqual(Object.keys(reply.json), ['job_id'])
  assert.match(reply.json.job_id, /^job_[0-9a-z]{26}$/)
  return reply.json.job_id
}

test('a background job returns the same ranks, and an event reports them', async (t) => {
  const api = await testApi(t)
  const jobId = await createJob(api, { recommend_store_count: 2 })
  const job = await ended(api, jobId)
  assert.deepEqual(Object.keys(job), ['job_id', 'status', 'store_allocation_ranks'])
  const { json } = await api.call(ALLOCATE, { body: { address: flinders, recommend_store_count: 2 } })
  const unhurried = (ranks: unknown) => JSON.stringify(ranks).replace(/(T\d\d:\d\d):\d\d/g, '$1')
  assert.equal(unhurried(job.store_allocation_ranks), unhurried(json.store_allocation_ranks))
  const { rows } = await api.fixture.deps.db.query('select * from events where account_id = $1', ['demo'])
  assert.deepEqual(
    rows.map(({ stream, type, source, data }) => ({ stream, type, source, data })),
    [{ stream: '', type: 'allocation.completed', source: 'worker', data: job }],
  )
  assert.match(rows[0].event_id, /^evt_/)
})

test('a job is stored before its id is returned, and waits while no worker runs', async (t) => {
  const api = await testApi(t, { work: false })
  const jobId = await createJob(api)
  assert.deepEqual((await api.call(STATUS + jobId)).json, { job_id: jobId, status: 'queued' })
  assert.equal((await api.call(`${STATUS}job_00000000000000000000000000`)).status, 404)
})

test('another worker takes over a dead worker’s job when the lease expires', async (t) => {
  const api = await testApi(t, { work: false })
  const { deps, parts } = api.fixture
  const jobId = await createJob(api)
  const [claim] = await claimAllocationJobs(deps.db, DEMO, { limit: 10, leaseMs: 30_000 })
  assert.equal(claim?.jobId, jobId)
  assert.equal((await api.call(STATUS + jobId)).json.status, 'running')
  assert.deepEqual(
    await claimAllocationJobs(deps.db, DEMO, { limit: 10, leaseMs: 30_000 }),
    [],
    'the lease keeps others away',
  )

  await deps.db.query('update allocation_jobs set lease_until = now()')
  parts.runner.start()
  assert.equal((await ended(api, jobId)).status, 'done')
  const outcome = { status: 'failed', reason: 'It came back from the dead.' } as const
  const late = await settleAllocationJob(deps.db, claim, outcome, {
    eventId: deps.newId('evt'),
    atMs: Date.now(),
  })
  assert.equal(late, false, 'its fencing token is stale')
  const { rows } = await deps.db.query('select 1 from events where account_id = $1', ['demo'])
  assert.equal(rows.length, 1)
})

test('a job that crashes its workers fails with a reason after some attempts', async (t) => {
  const api = await testApi(t, { work: false })
  const { deps, parts } = api.fixture
  const jobId = await createJob(api)
  for (let claims = 1; claims <= 3; claims++) {
    const [claim] = await claimAllocationJobs(deps.db, DEMO, { limit: 10, leaseMs: 1 })
    assert.equal(claim?.claims, claims)
    await sleep(5) // The lease of 1 ms ends.
  }
  parts.runner.start()
  const job = await ended(api, jobId)
  assert.deepEqual(job, {
    job_id: jobId,
    status: 'failed',
    reason: 'Given up after 3 attempts that did not finish.',
  })
  const { rows } = await deps.db.query('select type, data from events where account_id = $1', ['demo'])
  assert.deepEqual(rows, [{ type: 'allocation.completed', data: job }])
})

test('a job fails at its deadline, and nothing can finish it afterwards', async (t) => {
  const api = await testApi(t, { work: false })
  const { deps, parts } = api.fixture
  const jobId = await createJob(api)
  const [claim] = await claimAllocationJobs(deps.db, DEMO, { limit: 10, leaseMs: 1 })
  await deps.db.query(`update allocation_jobs set deadline = now() - interval '1 second'`)
  const failed = {
    job_id: jobId,
    status: 'failed',
    reason: 'The job did not finish in time. Create it again.',
  }
  assert.deepEqual((await api.call(STATUS + jobId)).json, failed, 'without a worker')
  const event = { eventId: deps.newId('evt'), atMs: Date.now() }
  assert.equal(await settleAllocationJob(deps.db, claim!, { status: 'done', ranks: [] }, event), false)
  parts.runner.start()
  const listEventData = async () =>
    (await deps.db.query('select data from events where account_id = $1', ['demo'])).rows
  await until(async () => (await listEventData()).length > 0, 'it is told')
  await untilIdle(parts.runner)
  assert.deepEqual((await api.call(STATUS + jobId)).json, failed)
  assert.deepEqual(await listEventData(), [{ data: failed }], 'reported once')
})

test('a client limited to some stores gets only those in background jobs, and no jobs of others', async (t) => {
  const api = await testApi(t)
  const token = await limitedToken(api, ['perth-cbd', 'fitzroy'])
  const own = await api.call(ALLOCATE, { body: { address: flinders, use_async: true }, token })
  const done = await ended(api, own.json.job_id)
  const ranks = done.store_allocation_ranks as { store_reference: string }[]
  assert.deepEqual(
    ranks.map(({ store_reference }) => store_reference),
    ['fitzroy', 'perth-cbd'],
  )
  assert.equal((await api.call(STATUS + own.json.job_id, { token })).status, 200)
  assert.equal((await api.call(STATUS + (await createJob(api)), { token })).status, 404)
})
