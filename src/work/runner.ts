import type { Logger } from 'pino'

/**
 * A kind of row that says of itself when it is due. `claim` leases up to `limit` rows to this process;
 * `run` works them and settles each: what it leaves unsettled comes back when its lease ends.
 */
export type DueSource<Row> = {
  name: string
  /** Rows in work at once. */
  concurrency: number
  claim(limit: number): Promise<readonly Row[]>
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
export function makeRunner(log: Logger): Runner {
  const loops: ReturnType<typeof makeLoop>[] = []
  return {
    add: (source) => {
      loops.push(makeLoop(source as DueSource<unknown>, log))
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

function makeLoop(source: DueSource<unknown>, log: Logger) {
  let running = false
  let claiming = false
  let woken = false
  let timer: NodeJS.Timeout | undefined
  const work = new Set<Promise<void>>()
  let rowsInWork = 0

  const sleep = (ms: number): void => {
    clearTimeout(timer)
    if (running) timer = setTimeout(() => void turn(), ms)
  }

  const turn = async (): Promise<void> => {
    if (claiming || !running) return
    claiming = true
    woken = false
    let pauseMs = POLL_MS
    try {
      const room = source.concurrency - rowsInWork
      const rows = room > 0 ? await source.claim(room) : []
      if (rows.length > 0) begin(rows)
      if (rows.length === room && room > 0) pauseMs = 0
    } catch (error) {
      log.error({ err: error, source: source.name }, 'could not claim work')
      pauseMs = PAUSE_AFTER_FAILURE_MS
    }
    claiming = false
    sleep(woken ? 0 : pauseMs)
  }

  const begin = (rows: readonly unknown[]): void => {
    rowsInWork += rows.length
    const done = source
      .run(rows)
      .catch((error: unknown) =>
        log.error({ err: error, source: source.name }, 'work failed; its lease will end'),
      )
      .finally(() => {
        rowsInWork -= rows.length
        work.delete(done)
        if (rowsInWork + rows.length >= source.concurrency) wake()
      })
    work.add(done)
  }

  const wake = (): void => {
    woken = true
    if (!claiming) sleep(0)
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
        Promise.all(work),
        new Promise((resolve) => {
          grace = setTimeout(resolve, graceMs)
        }),
      ])
      clearTimeout(grace)
    },
    inWork: () => rowsInWork,
  }
}
