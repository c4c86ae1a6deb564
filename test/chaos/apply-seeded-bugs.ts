import type { ScheduledFault } from './schedule.ts'
import type { ChaosBug } from './seeded-bugs.ts'

const PROVOKED_EVERY = 3

/** The schedule, with the faults that reveal these bugs in between, or those alone. */
export function* provoked(
  schedule: Iterable<ScheduledFault>,
  bugs: readonly ChaosBug[],
): Generator<ScheduledFault> {
  const acts = bugs.flatMap(({ provoke }) => provoke ?? [])
  const calm = bugs.some((bug) => bug.calm)
  let count = 0
  for (const scheduled of schedule) {
    if (calm) for (const act of acts) yield { pauseMs: scheduled.pauseMs, act }
    else {
      if (count % PROVOKED_EVERY === 0) for (const act of acts) yield { pauseMs: 0, act }
      yield scheduled
    }
    count += 1
  }
}
