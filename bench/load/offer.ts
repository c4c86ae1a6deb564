import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { type Connection, openConnection } from './connection.ts'
import { EARLIER, NUMBER, type Offer, type OfferResult, type Timed } from './load.ts'

type Job = { dueMs: number; bytes: string }

/** Less than any server's patience with a silent connection. */
const FRESH_MS = 30_000
/** Turns after which what a request made is there. */
const LAG = 500
/** For answers that are still under way when the time is over. */
const PATIENCE_MS = 30_000

/** Sends each request when it is due, and answers how it went for those who asked. */
export async function offer(asked: Offer): Promise<OfferResult> {
  const { perSecond, durationMs } = asked
  const lines = openLines(asked)
  const nextBytes = requestsOf(asked.requests)
  // One by one: what the first turn makes is there for those who ask for something earlier.
  for (const _ of asked.requests) await lines.send({ dueMs: performance.now(), bytes: nextBytes() })
  const beganMs = performance.now()
  const due = (durationMs / 1_000) * perSecond
  let offered = 0
  while (offered < due) {
    const tookMs = performance.now() - beganMs
    for (; offered < due && offered <= (tookMs / 1_000) * perSecond; offered++) {
      void lines.send({ dueMs: beganMs + (offered / perSecond) * 1_000, bytes: nextBytes() })
    }
    await new Promise((tick) => setTimeout(tick, 1))
  }
  const { byStatus, accepted, refused } = await lines.finished(PATIENCE_MS)
  const seconds = (performance.now() - beganMs) / 1_000
  const timed = (times: RecordableHistogram): Timed => ({
    count: times.count,
    perSecond: times.count / seconds,
    p50Ms: times.count > 0 ? times.percentile(50) / 1_000 : null,
    p99Ms: times.count > 0 ? times.percentile(99) / 1_000 : null,
  })
  return {
    offered: offered + asked.requests.length,
    byStatus,
    accepted: timed(accepted),
    refused: timed(refused),
  }
}

/** Connections as they are needed, each with one request under way. */
function openLines({ host, port, connections: most }: Offer) {
  const idle: { connection: Connection; sinceMs: number }[] = []
  const waiting: Job[] = []
  const byStatus: Record<number, number> = {}
  const [accepted, refused] = [createHistogram(), createHistogram()]
  let open = 0
  let underWay = 0

  const told = ({ dueMs }: Job, status: number): void => {
    byStatus[status] = (byStatus[status] ?? 0) + 1
    if (status === 0) return
    const micros = Math.max(1, Math.round((performance.now() - dueMs) * 1_000))
    const times = status >= 200 && status < 300 ? accepted : refused
    times.record(micros)
  }
  const work = async (job: Job, kept?: Connection): Promise<void> => {
    underWay += 1
    let connection = kept
    let next: Job | undefined = job
    try {
      connection ??= await openConnection(host, port)
      for (; next; next = waiting.shift()) told(next, (await connection.ask(next.bytes)).status)
      idle.push({ connection, sinceMs: performance.now() })
    } catch {
      if (next) told(next, 0)
      connection?.close()
      open -= 1
      const other = waiting.shift()
      if (other) void begin(other)
    } finally {
      underWay -= 1
    }
  }
  const begin = (job: Job): Promise<void> => {
    open += 1
    return work(job)
  }
  const fresh = (): Connection | undefined => {
    for (let last = idle.pop(); last; last = idle.pop()) {
      if (last.connection.isOpen() && performance.now() - last.sinceMs < FRESH_MS) return last.connection
      last.connection.close()
      open -= 1
    }
  }
  return {
    /** Resolves when it is answered, or waits for a connection. */
    async send(job: Job): Promise<void> {
      const connection = fresh()
      if (connection) await work(job, connection)
      else if (open < most) await begin(job)
      else waiting.push(job)
    },
    async finished(patienceMs: number) {
      const endMs = performance.now() + patienceMs
      while (underWay > 0 && performance.now() < endMs) await new Promise((tick) => setTimeout(tick, 5))
      byStatus[0] = (byStatus[0] ?? 0) + underWay + waiting.length
      for (const { connection } of idle) connection.close()
      return { byStatus, accepted, refused }
    },
  }
}

/** The requests in turn, each with the number of its turn. */
function requestsOf(requests: readonly string[]): () => string {
  const number = (turn: number) => String(Math.max(0, turn)).padStart(NUMBER.length, '0')
  let sent = 0
  return () => {
    const turn = Math.floor(sent / requests.length)
    const request = requests[sent++ % requests.length] as string
    return request.replaceAll(NUMBER, number(turn)).replaceAll(EARLIER, number(turn - LAG))
  }
}
