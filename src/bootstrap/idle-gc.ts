import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/**
 * V8's own collector, available under `--expose-gc`. `last-resort` returns pages to the system; Node's types
 * lack it.
 */
type Collect = (options: { type: 'major'; flavor: 'last-resort'; execution: 'sync' }) => void

const LOOK_EVERY_MS = 1_000
/** Event-loop utilisation of a second below which a collection delays no request. */
const QUIET = 0.05
/**
 * A collection discards compiled code, and the second after it runs at half speed, so intermittent work
 * shouldn't trigger one.
 */
const QUIET_SECONDS = 10
/**
 * A process that has just started has little compiled code, and returns the memory that only its start
 * needed.
 */
const STARTING_MS = 5_000
/** Less than this isn't worth the 50 to 150 ms of a collection. */
const WORTH_BYTES = 16 * 1024 * 1024

/**
 * Garbage collection when idle: returns the memory of the start in the first quiet second, and that of a busy
 * hour after ten quiet seconds. V8 itself would keep it for a next busy hour. Does nothing if Node runs
 * without `--expose-gc`.
 */
export function collectGarbageWhenIdle(): () => void {
  const collect = (globalThis as { gc?: Collect }).gc
  if (!collect) return () => {}
  let usedBytes = 0
  let quietSeconds = 0
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    quietSeconds = utilization > QUIET ? 0 : quietSeconds + 1
    if (quietSeconds < (performance.now() < STARTING_MS ? 1 : QUIET_SECONDS)) return
    if (getHeapStatistics().used_heap_size < usedBytes + WORTH_BYTES) return
    collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
    usedBytes = getHeapStatistics().used_heap_size
    before = performance.eventLoopUtilization()
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
