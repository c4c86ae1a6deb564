import type { Logger } from 'pino'

/**
 * A kind of row that can be due. `claim` leases up to `limit` rows to this process, with suspected poison rows only as
 * far as their slots are free. `isPoll`: no wake-up caused the claim, so due work is unlikely. `run` processes the rows
 * and updates each: a row that it leaves is due again when its lease ends.
 */
export type DueSource<Row> = {
  name: string
  /** Most rows in progress at once. */
  concurrency: number
  claim(limit: number, suspects: readonly number[], isPoll: boolean): Promise<readonly Row[]>
  /**
   * Quarantine of poison rows: `max` in progress at once, by tier of suspicion, since these rows may be
   * crashing their workers.
   */
  suspects?: { max: readonly number[]; quarantineTier(row: Row): number | null }
  /**
   * Batch key: claimed rows with the same key run in one call; with null, or without this function, each row
   * runs alone.
   */
  together?(row: Row): string | null
  run(rows: readonly Row[]): Promise<void>
}

export type Runner = {
  /** Only before the start. */
  add<Row>(source: DueSource<Row>): void
  start(): void
  /** Work may be due now. */
  wake(): void
  /** Claims no more rows and waits until the rows in flight are done, or for `graceMs`. */
  stop(graceMs: number): Promise<void>
  /** Rows in progress, by source. */
  inWork(): Record<string, number>
  /**
   * Test signal, as in River's `TestSignals`: wakes the runner and resolves when every source has claimed once more and
   * its work has ended, with the number of rows that this round claimed. It never resolves after a stop.
   */
  nextRound(): Promise<number>
}

/**
 * How long a source sleeps without a wake-up. A wake-up is only a hint; polling guarantees that due work is
 * found.
 */
const POLL_MS = 1_000
/** Pause after a failed claim, e.g. because the database is unavailable. */
const PAUSE_AFTER_FAILURE_MS = 2_000
/**
 * With a backlog, slots that become free one by one are refilled together, because a claim for each slot would take only
 * one row. Once half of the slots are free, there is no wait.
 */
const REFILL_DELAY_MS = 20

/**
 * Runs every source until stopped: claims as many rows as it has free slots, processes them concurrently, and
 * repeats.
 */
export function makeRunner(log: Logger, pollMs = POLL_MS): Runner {
  const loops: ReturnType<typeof makeLoop>[] = []
  let poll: NodeJS.Timeout | undefined
  return {
    add: (source) => {
      loops.push(makeLoop(source as DueSource<unknown>, log))
    },
    start: () => {
      for (const loop of loops) loop.start()
      // All sources poll in one tick, so that they can share a statement.
      poll = setInterval(() => {
        for (const loop of loops) loop.poll()
      }, pollMs)
    },
    wake: () => {
      for (const loop of loops) loop.wake()
    },
    stop: async (graceMs) => {
      clearInterval(poll)
      await Promise.all(loops.map((loop) => loop.stop(graceMs)))
    },
    inWork: () => Object.fromEntries(loops.map((loop) => [loop.name, loop.inWork()])),
    nextRound: async () => {
      const claimed = await Promise.all(loops.map((loop) => loop.nextRound()))
      return claimed.reduce((sum, rows) => sum + rows, 0)
    },
  }
}

function makeLoop(source: DueSource<unknown>, log: Logger) {
  let running = false
  let claiming: Promise<void> | null = null
  let woken = false
  let isRefillPending = false
  let timer: NodeJS.Timeout | undefined
  const work = new Set<Promise<void>>()
  let rowsInWork = 0
  /** Who waits for the end of the next round; empty outside tests. */
  let awaited: ((claimed: number) => void)[] = []
  const places = [...(source.suspects?.max ?? [])]
  const tiersOf = (rows: readonly unknown[]): number[] =>
    rows.flatMap((row) => source.suspects?.quarantineTier(row) ?? [])
  const take = (tiers: readonly number[], count: 1 | -1): void => {
    for (const tier of tiers) places[tier] = (places[tier] ?? 0) - count
  }

  const sleep = (ms: number): void => {
    clearTimeout(timer)
    if (running) timer = setTimeout(() => turn(), ms)
  }

  const turn = (isPoll = false): void => {
    timer = undefined
    if (claiming || !running) return
    claiming = claim(isPoll).then((pauseMs) => {
      claiming = null
      if (woken) sleep(0)
      else if (pauseMs !== null) sleep(pauseMs)
      else if (isRefillPending) sleep(getRefillDelayMs())
    })
  }

  const getRefillDelayMs = (): number =>
    2 * (source.concurrency - rowsInWork) >= source.concurrency ? 0 : REFILL_DELAY_MS

  /** Returns the pause before the next claim; null: until the next poll. */
  const claim = async (isPoll: boolean): Promise<number | null> => {
    woken = false
    isRefillPending = false
    const waiting = awaited
    awaited = []
    const room = source.concurrency - rowsInWork
    if (room <= 0) {
      awaited.push(...waiting)
      return null
    }
    try {
      const rows = await source.claim(room, [...places], isPoll)
      for (const part of partsOf(source, rows)) begin(part)
      for (const signal of waiting) void Promise.all(work).then(() => signal(rows.length))
      // There may be more due rows that this claim skipped because their quarantine slots were taken.
      if (tiersOf(rows).length > 0) return 0
      return rows.length === room ? getRefillDelayMs() : null
    } catch (error) {
      awaited.push(...waiting)
      log.error({ err: error, source: source.name }, 'could not claim work')
      return PAUSE_AFTER_FAILURE_MS
    }
  }

  // Each part frees its slots when it ends, so one slow carrier delays no other work.
  const begin = (rows: readonly unknown[]): void => {
    const tiers = tiersOf(rows)
    rowsInWork += rows.length
    take(tiers, 1)
    const done = source
      .run(rows)
      .catch((error: unknown) =>
        log.error({ err: error, source: source.name }, 'work failed; its lease will end'),
      )
      .finally(() => {
        rowsInWork -= rows.length
        take(tiers, -1)
        work.delete(done)
        if (tiers.length > 0) wake()
        else if (isRefillPending || rowsInWork + rows.length >= source.concurrency) refill()
      })
    work.add(done)
  }

  const wake = (): void => {
    woken = true
    if (!claiming) sleep(0)
  }

  const refill = (): void => {
    isRefillPending = true
    if (!claiming && (!timer || getRefillDelayMs() === 0)) sleep(getRefillDelayMs())
  }

  // Rows that are being claimed at the stop already belong to this process, so they are processed too.
  const finished = async (): Promise<void> => {
    await claiming
    await Promise.all(work)
  }

  return {
    name: source.name,
    start: () => {
      running = true
      sleep(0)
    },
    wake,
    poll: () => {
      if (!timer) turn(true)
    },
    stop: async (graceMs: number) => {
      running = false
      clearTimeout(timer)
      let grace: NodeJS.Timeout | undefined
      await Promise.race([
        finished(),
        new Promise((resolve) => {
          grace = setTimeout(resolve, graceMs)
        }),
      ])
      clearTimeout(grace)
    },
    inWork: () => rowsInWork,
    nextRound: () =>
      new Promise<number>((resolve) => {
        awaited.push(resolve)
        wake()
      }),
  }
}

function partsOf(source: DueSource<unknown>, rows: readonly unknown[]): unknown[][] {
  const alone: unknown[][] = []
  const groups = new Map<string, unknown[]>()
  for (const row of rows) {
    const word = source.together?.(row) ?? null
    const group = word === null ? undefined : groups.get(word)
    if (group) group.push(row)
    else if (word === null) alone.push([row])
    else groups.set(word, [row])
  }
  return [...alone, ...groups.values()]
}
