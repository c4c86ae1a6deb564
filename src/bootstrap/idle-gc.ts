import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/** V8's own collector, there under `--expose-gc`. `last-resort` gives pages back to the system; Node's types know none of it. */
type Collect = (options: { type: 'major'; flavor: 'last-resort'; execution: 'sync' }) => void

const LOOK_EVERY_MS = 1_000
/** Below this share of a second nobody is kept waiting by a collection. */
const QUIET = 0.05
/** A collection throws compiled code away, and the second after it is half as fast: work that comes and goes keeps it. */
const QUIET_SECONDS = 10
/** Who has just started has little compiled yet, and gives back at once what only starting needs. */
const STARTING_MS = 5_000
/** Less than this is not worth the 50 to 150 ms that a collection takes. */
const WORTH_BYTES = 16 * 1024 * 1024

/**
 * Gives memory back: what starting leaves, in the first quiet second, and what a busy hour leaves, after ten of
 * them. V8 by itself keeps it for an hour that may not come. Does nothing where Node was not started with `--expose-gc`.
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
