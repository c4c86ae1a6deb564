import type { Pool } from 'pg'

/**
 * Batching (like DataLoader): turns `work`, which handles many calls, into a function for one call. All calls of one
 * tick of the event loop go into one statement, and those made while enough statements are in flight into the next.
 * Under load a tick brings a hundred calls; if the first were sent alone, the others would wait for another tick.
 * `work` resolves each call and never throws. `startsAtOnce`: if no statement is in flight, the first call is sent at
 * once, which saves a lone caller that wait. `lingerMs` (like Kafka's `linger.ms`): waits this long for more
 * calls, instead of one tick. Only for writes whose result nobody is waiting for.
 */
export function batched<Given, Answer>(
  work: (together: readonly PendingCall<Given, Answer>[]) => Promise<void>,
  { startsAtOnce = false, lingerMs = 0 } = {},
): (given: Given) => Promise<Answer> {
  const waiting: PendingCall<Given, Answer>[] = []
  let inFlight = 0
  let flushesSoon = false

  const flush = (): void => {
    while (waiting.length > 0 && inFlight < MAX_IN_FLIGHT) {
      inFlight += 1
      void work(waiting.splice(0, MAX_BATCH_SIZE)).finally(() => {
        inFlight -= 1
        flush()
      })
    }
  }
  const flushSoon = (): void => {
    flushesSoon = false
    flush()
  }
  return (given) =>
    new Promise((resolve, reject) => {
      waiting.push({ given, resolve, reject })
      if (waiting.length >= MAX_BATCH_SIZE || (startsAtOnce && inFlight === 0)) flush()
      else if (!flushesSoon) {
        flushesSoon = true
        if (lingerMs > 0) setTimeout(flushSoon, lingerMs)
        else setImmediate(flushSoon)
      }
    })
}

/** A pending call: its input, and how to resolve it. */
export type PendingCall<Given, Answer> = {
  given: Given
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Calls are batched once this many statements are in flight; more in flight means smaller batches. */
const MAX_IN_FLIGHT = 2
const MAX_BATCH_SIZE = 128

/** A write that several calls can share. */
export type SharedWrite<Given, Answer> = {
  /** Calls with the same shape share a statement. */
  getShape(given: Given): string
  /** The row that a call writes: two calls for one row never share a statement. */
  getRowKey(given: Given): string
  /**
   * Writes many rows in one statement, and skips locked rows where a transaction may hold them for long. Null for a row
   * that is skipped, or whose guard fails.
   */
  writeMany(db: Pool, many: readonly Given[]): Promise<(Answer | null)[]>
  /** Writes one row, waiting for its lock. Null: its guard fails. */
  writeOne(db: Pool, given: Given): Promise<Answer | null>
  /** See `batched`. */
  lingerMs?: number
}

/**
 * Batching for guarded writes. A row that the shared statement skips is written by a statement of its own, for
 * which no other call waits; so is each row of a statement that the database refused.
 */
export function batchedWrites<Given, Answer>({
  getShape,
  getRowKey,
  writeMany,
  writeOne,
  lingerMs = 0,
}: SharedWrite<Given, Answer>): (db: Pool, given: Given) => Promise<Answer | null> {
  type Call = PendingCall<Given, Answer | null>
  const writeAlone = (db: Pool, { given, resolve, reject }: Call): void =>
    void writeOne(db, given).then(resolve, reject)

  const writeShared = async (db: Pool, calls: readonly Call[]): Promise<void> => {
    try {
      const answers = await writeMany(
        db,
        calls.map(({ given }) => given),
      )
      for (const [index, call] of calls.entries()) {
        const answer = answers[index] ?? null
        if (answer === null) writeAlone(db, call)
        else call.resolve(answer)
      }
    } catch (error) {
      // Without the database's refusal, the rows may have been written.
      if (calls.length > 1 && wasRefused(error)) for (const call of calls) writeAlone(db, call)
      else for (const { reject } of calls) reject(error)
    }
  }
  const writers = new WeakMap<Pool, (given: Given) => Promise<Answer | null>>()
  return (db, given) => {
    let write = writers.get(db)
    if (!write) {
      const work = async (calls: readonly Call[]): Promise<void> => {
        const [first, repeated] = splitByRow(calls, getRowKey)
        const shapes = Map.groupBy(first, (call) => getShape(call.given))
        await Promise.all([...shapes.values()].map((some) => writeShared(db, some)))
        for (const call of repeated) writeAlone(db, call)
      }
      write = batched(work, { lingerMs })
      writers.set(db, write)
    }
    return write(given)
  }
}

/** The first call for each row, and the others. */
function splitByRow<Given, Answer>(
  calls: readonly PendingCall<Given, Answer>[],
  getRowKey: (given: Given) => string,
): [first: PendingCall<Given, Answer>[], repeated: PendingCall<Given, Answer>[]] {
  const rows = new Set<string>()
  const first: PendingCall<Given, Answer>[] = []
  const repeated: PendingCall<Given, Answer>[] = []
  for (const call of calls) {
    const row = getRowKey(call.given)
    if (rows.has(row)) repeated.push(call)
    else first.push(call)
    rows.add(row)
  }
  return [first, repeated]
}

/** SQLSTATE classes and codes: the database refused a statement for its data, size or locks, and wrote no row. */
const REFUSED = /^(22|23|40P01|54|55)/

export function wasRefused(error: unknown): boolean {
  return REFUSED.test(String((error as { code?: unknown } | null)?.code ?? ''))
}
