import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/wait-until.ts'
import { makeLog } from '../log.ts'
import { type DueSource, makeRunner } from './runner.ts'

/** Timers of the same length fire in their order: those that the runner has set without a pause have fired. */
const timersFired = () => sleep(1)

const log = makeLog('silent')

/** Rows that wait in memory, and report when they are released. */
function rowsOf<Row>(waiting: Row[], choice: Partial<DueSource<Row>> = {}) {
  const asked: number[] = []
  const begun: Row[] = []
  const gates = new Map<Row, () => void>()
  const source: DueSource<Row> = {
    name: 'rows',
    concurrency: 3,
    claim: async (limit) => {
      asked.push(limit)
      return waiting.splice(0, limit)
    },
    run: async (rows) => {
      begun.push(...rows)
      await Promise.all(rows.map((row) => new Promise<void>((resolve) => gates.set(row, resolve))))
    },
    ...choice,
  }
  const finish = (...rows: Row[]) => {
    for (const row of rows) gates.get(row)?.()
  }
  return { source, asked, begun, finish }
}

/** Polls less often than any test lasts, so all work in a test was started by a wake-up. */
function runnerOf(t: import('node:test').TestContext, ...sources: DueSource<unknown>[]) {
  return polling(t, 300_000, ...sources)
}

function polling(t: import('node:test').TestContext, pollMs: number, ...sources: DueSource<unknown>[]) {
  const runner = makeRunner(log, pollMs)
  for (const source of sources) runner.add(source)
  t.after(() => runner.stop(0))
  runner.start()
  return runner
}

test('a runner claims no more rows than it has free slots', async (t) => {
  const rows = rowsOf([1, 2, 3, 4, 5])
  const runner = runnerOf(t, rows.source as DueSource<unknown>)
  await until(() => rows.begun.length === 3, 'three are begun')
  runner.wake()
  await timersFired()
  assert.deepEqual([rows.begun, rows.asked, runner.inWork()], [[1, 2, 3], [3], { rows: 3 }])

  rows.finish(1, 2, 3)
  await until(() => rows.begun.length === 5, 'the room is used at once')
  assert.deepEqual(rows.asked.slice(0, 2), [3, 3])
})

test('with a backlog, slots that become free one by one are refilled together', async (t) => {
  const all = Array.from({ length: 30 }, (_, n) => n)
  const rows = rowsOf([...all], { concurrency: 10 })
  runnerOf(t, rows.source as DueSource<unknown>)
  await until(() => rows.begun.length === 10, 'ten are begun')
  for (const row of [0, 1, 2, 3]) {
    rows.finish(row)
    await sleep(3)
  }
  await until(() => rows.begun.length === 14, 'four slots are refilled')
  // The first claim, and fewer than one for each end: on a busy machine the four may need more than one.
  assert.ok(rows.asked.length < 5, String(rows.asked))

  rows.finish(4, 5, 6, 7, 8)
  await timersFired()
  await until(() => rows.begun.length === 19, 'five slots are refilled')
  assert.equal(rows.asked.at(-1), 5)
})

test('a wake-up works during a pause and during a claim', async (t) => {
  const waiting: number[] = []
  let letClaim = () => {}
  const gate = new Promise<void>((resolve) => {
    letClaim = resolve
  })
  let claims = 0
  const rows = rowsOf<number>([], {
    claim: async (limit) => {
      claims += 1
      const found = waiting.splice(0, limit)
      if (claims === 1) await gate
      return found
    },
  })
  const runner = runnerOf(t, rows.source as DueSource<unknown>)
  await until(() => claims === 1, 'it claims')
  waiting.push(1)
  runner.wake()
  letClaim()
  await until(() => rows.begun.length === 1, 'what came during a claim is not left until the next poll')

  await timersFired()
  waiting.push(2)
  runner.wake()
  await until(() => rows.begun.length === 2, 'a sleeper is woken')
})

test('suspected poison rows run one at a time, beside all other rows', async (t) => {
  const waiting = [-1, -2, -3, 1, 2, 3]
  const rows = rowsOf<number>([], {
    suspects: { max: [1], quarantineTier: (row) => (row < 0 ? 0 : null) },
    claim: async (limit, suspects) => {
      const taken: number[] = []
      for (const row of waiting) {
        const isLeft =
          taken.length === limit || (row < 0 && (suspects[0] === 0 || taken.some((one) => one < 0)))
        if (!isLeft) taken.push(row)
      }
      for (const row of taken) waiting.splice(waiting.indexOf(row), 1)
      return taken
    },
  })
  runnerOf(t, rows.source as DueSource<unknown>)
  await until(() => rows.begun.length === 3, 'its room is used')
  assert.deepEqual(rows.begun, [-1, 1, 2])
  rows.finish(1, 2)
  await until(() => rows.begun.length === 4, 'the others go on')
  await timersFired()
  assert.deepEqual(rows.begun, [-1, 1, 2, 3], 'two suspects are in work')
  rows.finish(-1)
  await until(() => rows.begun.length === 5, 'the next one is taken at once')
  assert.equal(rows.begun.at(-1), -2)
})

test('without a wake-up, polling finds work', async (t) => {
  const waiting: number[] = []
  const rows = rowsOf(waiting)
  polling(t, 20, rows.source as DueSource<unknown>)
  await until(() => rows.asked.length >= 1, 'it has looked once')
  waiting.push(7)
  await until(() => rows.begun.includes(7), 'it looks again by itself')
})

test('a failed claim is retried and affects no other source', async (t) => {
  let claims = 0
  const broken = rowsOf<string>([], {
    name: 'broken',
    claim: async () => {
      claims += 1
      if (claims === 1) throw new Error('the database is away')
      return claims === 2 ? ['late'] : []
    },
  })
  const well = rowsOf(['a'])
  runnerOf(t, broken.source as DueSource<unknown>, well.source as DueSource<unknown>)
  await until(() => well.begun.length === 1, 'the other source works on')
  await until(() => broken.begun.includes('late'), 'it is tried again')
})

test('work that throws affects no other work', async (t) => {
  let runs = 0
  const waiting = [1, 2, 3, 4]
  const rows = rowsOf(waiting, {
    concurrency: 1,
    run: async () => {
      runs += 1
      if (runs === 1) throw new Error('a bug')
    },
  })
  const runner = runnerOf(t, rows.source as DueSource<unknown>)
  await until(() => runs === 4, 'the others are worked')
  assert.deepEqual(runner.inWork(), { rows: 0 })
})

test('a stop waits for work in flight and claims nothing more', async (t) => {
  const waiting = [1, 2, 3, 4]
  const rows = rowsOf(waiting)
  const runner = runnerOf(t, rows.source as DueSource<unknown>)
  await until(() => rows.begun.length === 3, 'three are begun')
  let stopped = false
  const stopping = runner.stop(60_000).then(() => {
    stopped = true
  })
  rows.finish(1, 2)
  await timersFired()
  assert.equal(stopped, false)
  rows.finish(3)
  await stopping
  runner.wake()
  await timersFired()
  assert.deepEqual(waiting, [4])
})

test('a stop waits for a claim in progress', async (t) => {
  let letClaim: ((rows: number[]) => void) | null = null
  let done = false
  const rows = rowsOf<number>([], {
    claim: () =>
      new Promise((resolve) => {
        letClaim = resolve
      }),
    run: async () => {
      await timersFired()
      done = true
    },
  })
  const runner = runnerOf(t, rows.source as DueSource<unknown>)
  const finishClaim = await until(() => letClaim, 'it claims')
  const stopping = runner.stop(60_000)
  finishClaim([1])
  await stopping
  assert.equal(done, true, 'a row was claimed and left behind in mid-work')
})

test('a stop ends after its grace period', async (t) => {
  const rows = rowsOf([1])
  const runner = runnerOf(t, rows.source as DueSource<unknown>)
  await until(() => rows.begun.length === 1, 'it is begun')
  const began = performance.now()
  await runner.stop(100)
  assert.ok(performance.now() - began < 20_000)
})

test('a round ends when every source has claimed once more and its work has ended', async (t) => {
  const waiting: number[] = []
  const rows = rowsOf(waiting)
  const others = rowsOf<string>([], { name: 'others' })
  const runner = runnerOf(t, rows.source as DueSource<unknown>, others.source as DueSource<unknown>)
  assert.equal(await runner.nextRound(), 0)
  const asked = others.asked.length

  waiting.push(1, 2)
  let ended: number | null = null
  const round = runner.nextRound().then((claimed) => {
    ended = claimed
  })
  await until(() => rows.begun.length === 2, 'they are begun')
  rows.finish(1)
  await timersFired()
  assert.equal(ended, null)
  rows.finish(2)
  await round
  assert.equal(ended, 2)
  assert.ok(others.asked.length > asked)
})

test('a claim that fails, or a source without free slots, ends no round', async (t) => {
  let claims = 0
  const rows = rowsOf([1, 2, 3], {
    claim: async () => {
      claims += 1
      if (claims === 1) throw new Error('the database is away')
      return claims === 2 ? [1, 2, 3] : []
    },
  })
  const runner = runnerOf(t, rows.source as DueSource<unknown>)
  const round = runner.nextRound()
  await until(() => claims === 1, 'it claims')
  runner.wake()
  await until(() => rows.begun.length === 3, 'they are begun')
  const next = runner.nextRound()
  await timersFired()
  assert.equal(claims, 2)
  rows.finish(1, 2, 3)
  assert.deepEqual(await Promise.all([round, next]), [3, 0])
})
