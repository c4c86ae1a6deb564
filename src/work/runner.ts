import type { Logger } from 'pino'

/**
 * A kind of row that says of itself when it is due. `claim` leases up to `limit` rows to this process, of suspects as
 * many as are left of their places; `run` works them and settles each: what it leaves unsettled comes back when its lease ends.
 */
export type DueSource<Row> = {
  name: string
  /** Rows in work at once. */
  concurrency: number
  claim(limit: number, suspects: readonly number[]): Promise<readonly Row[]>
  /** What may be ending its workers: by how suspect it is, so many in work at once. */
  suspects?: { most: readonly number[]; quarantineTier(row: Row): number | null }
  /** Claimed rows of one word are run in one call; null, or without this, each row is run alone. */
  together?(row: Row): string | null
  run(rows: readonly Row[]): Promise<void>
}

export type Runner = {
  /** Before the start. */
  add<Row>(source: DueSource<Row>): void
  start(): void
  /** Something may be due now. */
  wake(): void
  /** Claims nothing more and waits until the work in hand is done, or for `graceMs`. */
  stop(graceMs: number): Promise<void>
  /** Rows in work, by source. */
  inWork(): Record<string, number>
}

/** How long a source sleeps when nothing wakes it. Every wake-up is only a hint; this is the promise. */
const POLL_MS = 1_000
/** After a claim that failed, e.g. because the database is away. */
const PAUSE_AFTER_FAILURE_MS = 2_000

/** Runs every source until stopped: claim as many as there is room for, work them side by side, again. */
export function makeRunner(log: Logger, pollMs = POLL_MS): Runner {
  const loops: ReturnType<typeof makeLoop>[] = []
  return {
    add: (source) => {
      loops.push(makeLoop(source as DueSource<unknown>, log, pollMs))
    },
    start: () => {
      for (const loop of loops) loop.start()
    },
    wake: () => {
      for (const loop of loops) loop.wake()
    },
    stop: async (graceMs) => {
      await Promise.all(loops.map((loop) => loop.stop(graceMs)))
    },
    inWork: () => Object.fromEntries(loops.map((loop) => [loop.name, loop.inWork()])),
  }
}

function makeLoop(source: DueSource<unknown>, log: Logger, pollMs: number) {
  let running = false
  let claiming: Promise<void> | null = null
  let woken = false
  let timer: NodeJS.Timeout | undefined
  const work = new Set<Promise<void>>()
  let rowsInWork = 0
  const places = [...(source.suspects?.most ?? [])]
  const tiersOf = (rows: readonly unknown[]): number[] =>
    rows.flatMap((row) => source.suspects?.quarantineTier(row) ?? [])
  const take = (tiers: readonly number[], count: 1 | -1): void => {
    for (const tier of tiers) places[tier] = (places[tier] ?? 0) - count
  }

  const sleep = (ms: number): void => {
    clearTimeout(timer)
    if (running) timer = setTimeout(turn, ms)
  }

  const turn = (): void => {
    if (claiming || !running) return
    claiming = claim().then((pauseMs) => {
      claiming = null
      sleep(woken ? 0 : pauseMs)
    })
  }

  /** Answers how long to sleep after it. */
  const claim = async (): Promise<number> => {
    woken = false
    const room = source.concurrency - rowsInWork
    if (room <= 0) return pollMs
    try {
      const rows = await source.claim(room, [...places])
      for (const part of partsOf(source, rows)) begin(part)
      // Other suspects may have stood where there was room for more.
      return rows.length === room || tiersOf(rows).length > 0 ? 0 : pollMs
    } catch (error) {
      log.error({ err: error, source: source.name }, 'could not claim work')
      return PAUSE_AFTER_FAILURE_MS
    }
  }

  // Each part frees its room when it ends: one slow carrier holds up nobody else.
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
        if (tiers.length > 0 || rowsInWork + rows.length >= source.concurrency) wake()
      })
    work.add(done)
  }

  const wake = (): void => {
    woken = true
    if (!claiming) sleep(0)
  }

  // What is being claimed when the stop comes is ours already: it is worked too.
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
