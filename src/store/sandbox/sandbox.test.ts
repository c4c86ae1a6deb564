import assert from 'node:assert/strict'
import test from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { consignment, MORNING_MS, SECRET_KEY, sandboxCarriers } from '../../../test/sandbox-carriers.ts'
import { pushSandboxWebhook } from '../../carriers/sandbox/push-webhook.ts'
import { claimDueSandbox, deadLetterDueSandbox, settleDueSandbox } from './due-sandbox.ts'
import { listSandboxLedger } from './sandbox-ledger.ts'

const DAY_MS = 86_400_000

async function bookedJob(t: test.TestContext) {
  const { pool } = await testDatabase(t)
  const sandbox = await sandboxCarriers(pool)
  await sandbox.carrier('swiftly').book(consignment)
  const claim = (nowMs: number, leaseMs = 30_000) =>
    claimDueSandbox(pool, { accountIds: ['demo'], nowsMs: [nowMs] }, { limit: 10, leaseMs })
  return { pool, sandbox, claim }
}

test('twenty concurrent requests with one key create one job', async (t) => {
  const { pool } = await testDatabase(t)
  const one = await sandboxCarriers(pool)
  const two = await sandboxCarriers(pool, 'acme')
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => one.carrier('swiftly').book(consignment)),
  )
  const numbers = outcomes.map((outcome) => outcome.kind === 'yes' && outcome.value.consignmentNumber)
  assert.equal(new Set(numbers).size, 1)
  const ledger = await one.ledger('A-17')
  assert.equal(ledger.filter((entry) => entry === 'book booked').length, 1)
  assert.equal(ledger.filter((entry) => entry === 'book replayed').length, 19)

  await two.carrier('swiftly').book(consignment)
  assert.deepEqual(await two.ledger('A-17'), ['book booked'])
})

test('a key sent with another body is refused and books nothing', async (t) => {
  const { sandbox } = await bookedJob(t)
  const other = await sandbox.carrier('swiftly').book({ ...consignment, specialInstructions: 'No bell' })
  assert.equal(other.kind, 'unknown')
  assert.deepEqual(await sandbox.ledger('A-17'), ['book booked', 'book refused'])
})

test('sandbox events are due by account time, and one worker leases each', async (t) => {
  const { pool, claim } = await bookedJob(t)
  assert.deepEqual(await claim(MORNING_MS), [])
  const nowMs = MORNING_MS + DAY_MS
  const both = { accountIds: ['acme', 'demo'], nowsMs: [nowMs, MORNING_MS] }
  assert.deepEqual(await claimDueSandbox(pool, both, { limit: 10, leaseMs: 30_000 }), [])
  const [claimed] = await claim(nowMs)
  assert.deepEqual([claimed?.claims, claimed?.pushed], [1, 0])
  assert.deepEqual(await claim(nowMs), [])
})

test('a worker whose lease expired writes nothing', async (t) => {
  const { claim, pool } = await bookedJob(t)
  const nowMs = MORNING_MS + DAY_MS
  const [late] = await claim(nowMs, -1)
  const [second] = await claim(nowMs)
  assert.equal(await settleDueSandbox(pool, late!, { pushed: 9, dueAtMs: null, refused: false }), false)
  assert.equal(await settleDueSandbox(pool, second!, { pushed: 1, dueAtMs: nowMs, refused: false }), true)
  assert.deepEqual((await claim(nowMs))[0]?.pushed, 1)
})

test('a rejected webhook is retried with backoff, and nothing overtakes it', async (t) => {
  const { claim, pool } = await bookedJob(t)
  let nowMs = MORNING_MS + DAY_MS
  const pushedStates: string[] = []
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const [due] = await claim(nowMs)
    const pushed = await pushSandboxWebhook(
      { nowMs: () => nowMs, wallMs: Date.now, secretKey: SECRET_KEY },
      due!,
      async (_carrier, _account, { body }) => {
        pushedStates.push(JSON.parse(body.toString()).events[0].state)
        return pushedStates.length === 1
      },
    )
    assert.deepEqual([pushed.pushed, pushed.refused], [1, true])
    pauses.push(pushed.dueAtMs! - nowMs)
    await settleDueSandbox(pool, due!, pushed)
    assert.deepEqual(await claim(nowMs), [])
    nowMs = pushed.dueAtMs!
  }
  assert.deepEqual(pushedStates, ['driver_assigned', 'driver_nearby', 'driver_nearby', 'driver_nearby'])
  assert.deepEqual(pauses, [10_000, 20_000, 40_000])
})

test('a cancelled job sends no more events, even during a push', async (t) => {
  const { claim, pool, sandbox } = await bookedJob(t)
  const [due] = await claim(MORNING_MS + 31 * 60_000)
  await sandbox.carrier('swiftly').cancel!(due!.consignmentNumber)
  await settleDueSandbox(pool, due!, { pushed: 1, dueAtMs: MORNING_MS, refused: false })
  assert.deepEqual(await claim(MORNING_MS + DAY_MS), [])
})

test('a dead-lettered job is out of the queue', async (t) => {
  const { claim, pool } = await bookedJob(t)
  const [due] = await claim(MORNING_MS + DAY_MS, -1)
  await deadLetterDueSandbox(pool, due!, 'nobody listens')
  assert.deepEqual(await claim(MORNING_MS + DAY_MS), [])
})

test('the ledger is listed in pages, whole or for one reference', async (t) => {
  const { pool, sandbox } = await bookedJob(t)
  for (const reference of ['B', 'A-17', 'B']) {
    await sandbox.carrier('big_haul').book({ ...consignment, reference })
  }
  const page = (reference: string | null, after: number) =>
    listSandboxLedger(pool, 'demo', { reference, after, limit: 2 })
  const first = await page(null, 0)
  const second = await page(null, first[1]!.entry)
  assert.deepEqual(
    [...first, ...second].map(({ carrier, reference, atMs }) => [carrier, reference, atMs]),
    [
      ['swiftly', 'A-17', MORNING_MS],
      ['big_haul', 'B', MORNING_MS],
      ['big_haul', 'A-17', MORNING_MS],
      ['big_haul', 'B', MORNING_MS],
    ],
  )
  assert.deepEqual(await page(null, second[1]!.entry), [])
  assert.equal((await page('B', 0)).length, 2)
})
