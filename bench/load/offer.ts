import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { type Caller, openCaller } from './caller.ts'
import type { Offer, OfferResult, Timed } from './load.ts'
import { turnsOf } from './turns.ts'

/** `which`: the index of the request; `measured`: not part of the warm-up. */
type Job = { dueMs: number; which: number; bytes: string; measured: boolean }

/** Less than any server's idle time-out. */
const FRESH_MS = 30_000
/** Time for responses that are in flight at the end. */
const PATIENCE_MS = 30_000

/** Sends each request when it is due, and returns the results. */
export async function offer(asked: Offer): Promise<OfferResult> {
  const { perSecond, durationMs, warmUpMs = 0 } = asked
  const callers = callersOf(asked)
  const nextBytes = turnsOf(asked.requests)
  let made = 0
  const nextJob = (dueMs: number, measured: boolean): Job => ({
    dueMs,
    which: made++ % asked.requests.length,
    bytes: nextBytes(),
    measured,
  })
  // One by one: the resource of the first turn exists before a later request uses it.
  for (const _ of asked.requests) {
    await new Promise<void>((answered) => callers.send(nextJob(performance.now(), warmUpMs === 0), answered))
  }
  const late = createHistogram()
  const beganMs = performance.now()
  const measuredMs = beganMs + warmUpMs
  const due = ((warmUpMs + durationMs) / 1_000) * perSecond
  let sent = 0
  let offered = warmUpMs === 0 ? asked.requests.length : 0
  while (sent < due) {
    const nowMs = performance.now()
    for (; sent < due && sent <= ((nowMs - beganMs) / 1_000) * perSecond; sent++) {
      const dueMs = beganMs + (sent / perSecond) * 1_000
      const measured = dueMs >= measuredMs
      callers.send(nextJob(dueMs, measured))
      if (!measured) continue
      offered += 1
      late.record(microsSince(dueMs))
    }
    await new Promise((tick) => setTimeout(tick, 1))
  }
  const { byStatus, accepted, acceptedOf, refused } = await callers.finished(PATIENCE_MS)
  const seconds = (performance.now() - measuredMs) / 1_000
  const timed = (times: RecordableHistogram): Timed => ({
    count: times.count,
    perSecond: times.count / seconds,
    p50Ms: percentileMs(times, 50),
    p99Ms: percentileMs(times, 99),
  })
  return {
    offered,
    byStatus,
    accepted: timed(accepted),
    acceptedOf: acceptedOf.map(timed),
    refused: timed(refused),
    generatorLateMs: percentileMs(late, 99) ?? 0,
  }
}

/** Callers on demand, each with a connection and one request in flight. */
function callersOf({ host, port, requests, connections: max }: Offer) {
  const idle: { caller: Caller; sinceMs: number }[] = []
  const waiting: Job[] = []
  const byStatus: Record<number, number> = {}
  const [accepted, refused] = [createHistogram(), createHistogram()]
  const acceptedOf = requests.map(() => createHistogram())
  let open = 0
  let underWay = 0

  const recordStatus = ({ dueMs, which, measured }: Job, status: number): void => {
    underWay -= 1
    if (!measured) return
    byStatus[status] = (byStatus[status] ?? 0) + 1
    if (status === 0) return
    const times = status >= 200 && status < 300 ? acceptedOf[which] : refused
    times?.record(microsSince(dueMs))
  }
  const give = (caller: Caller, job: Job, then?: () => void): void => {
    underWay += 1
    ofCaller.set(caller, { job, then })
    caller.ask(job.bytes, (status) => {
      ofCaller.delete(caller)
      recordStatus(job, status)
      const next = waiting.shift()
      if (next) give(caller, next)
      else idle.push({ caller, sinceMs: performance.now() })
      then?.()
    })
  }
  const all = new Set<Caller>()
  const ofCaller = new Map<Caller, { job: Job; then: (() => void) | undefined }>()
  const begin = (job: Job, then?: () => void): void => {
    open += 1
    const caller = openCaller(host, port, () => {
      open -= 1
      all.delete(caller)
      const lost = ofCaller.get(caller)
      if (lost) recordStatus(lost.job, 0)
      lost?.then?.()
      const next = waiting.shift()
      if (next) begin(next)
    })
    all.add(caller)
    give(caller, job, then)
  }
  const fresh = (): Caller | undefined => {
    for (let last = idle.pop(); last; last = idle.pop()) {
      if (last.caller.isOpen() && performance.now() - last.sinceMs < FRESH_MS) return last.caller
      last.caller.close()
    }
  }
  return {
    /** Sends a request, or waits for a free caller; `then` is called after the response. */
    send(job: Job, then?: () => void): void {
      const caller = fresh()
      if (caller) give(caller, job, then)
      else if (open < max) begin(job, then)
      else waiting.push(job)
    },
    async finished(patienceMs: number) {
      const endMs = performance.now() + patienceMs
      while (underWay > 0 && performance.now() < endMs) await new Promise((tick) => setTimeout(tick, 5))
      byStatus[0] = (byStatus[0] ?? 0) + underWay + waiting.length
      waiting.length = 0
      for (const caller of all) caller.close()
      for (const times of acceptedOf) accepted.add(times)
      return { byStatus, accepted, acceptedOf, refused }
    },
  }
}

const microsSince = (ms: number): number => Math.max(1, Math.round((performance.now() - ms) * 1_000))
const percentileMs = (times: RecordableHistogram, percent: number): number | null =>
  times.count > 0 ? times.percentile(percent) / 1_000 : null
