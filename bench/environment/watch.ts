import { processFigures } from './process-figures.ts'
import type { Service } from './service.ts'

type Points = [minute: number, value: number][]

/** A measurement of a process: minutes since the start, and a value. */
export type Watched = { residentMb: Points; heapAfterMb: Points; loopLateMs: Points }

const EVERY_MS = 10_000
const LATE = 'nodejs_eventloop_lag_p99_seconds'
/** A line of `--trace-gc`: MB used before and, after the arrow, after a full collection. */
const COLLECTED = /Mark-Compact.*? -> ([\d.]+) \(/

/** Samples a service every ten seconds until it is stopped; reads collections from its trace output. */
export function startWatch(service: Service): { stop(): Promise<Watched> } {
  const beganMs = performance.now()
  const minute = () => (performance.now() - beganMs) / 60_000
  const watched: Watched = { residentMb: [], heapAfterMb: [], loopLateMs: [] }
  service.output?.on('data', (chunk: Buffer) => {
    // Among megabytes of log lines, a search in bytes is the cheapest.
    for (let at = chunk.indexOf('Mark-Compact'); at >= 0; at = chunk.indexOf('Mark-Compact', at + 1)) {
      const after = COLLECTED.exec(chunk.toString('latin1', at, at + 200))?.[1]
      if (after) watched.heapAfterMb.push([minute(), Number(after)])
    }
  })
  const look = async (): Promise<void> => {
    const figures = processFigures(service.pid)
    if (figures) watched.residentMb.push([minute(), figures.memoryMb])
    const text = String(await service.call('GET /metrics'))
    const late = Number(new RegExp(`^${LATE} (\\S+)$`, 'm').exec(text)?.[1])
    if (late > 0) watched.loopLateMs.push([minute(), late * 1_000])
  }
  let looking: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch((error: Error) => process.stderr.write(`${error.message}\n`))
  }, EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await looking
      return watched
    },
  }
}
