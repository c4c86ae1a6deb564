import type { RefusalCode } from './errors.ts'

export type Windows = {
  pickup_ready_dt?: string | undefined
  pickup_deadline_dt?: string | undefined
  dropoff_ready_dt?: string | undefined
  dropoff_deadline_dt?: string | undefined
}

export type WindowsMs = {
  pickupReadyMs: number | null
  pickupDeadlineMs: number | null
  dropoffReadyMs: number | null
  dropoffDeadlineMs: number | null
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** "Cannot be in the past": a tolerance for clock differences and latency. */
const PAST_GRACE_MS = MINUTE_MS

export function windowsMs(given: Windows): WindowsMs {
  const ms = (text: string | undefined) => (text === undefined ? null : Date.parse(text))
  return {
    pickupReadyMs: ms(given.pickup_ready_dt),
    pickupDeadlineMs: ms(given.pickup_deadline_dt),
    dropoffReadyMs: ms(given.dropoff_ready_dt),
    dropoffDeadlineMs: ms(given.dropoff_deadline_dt),
  }
}

/** The first rule that is violated, null when all hold. An absent value violates no rule. */
export function brokenWindowRule(windows: WindowsMs, nowMs: number): RefusalCode | null {
  const { pickupReadyMs: ready, pickupDeadlineMs: deadline } = windows
  const { dropoffReadyMs: dropoffReady, dropoffDeadlineMs: dropoffDeadline } = windows
  const rules: readonly [RefusalCode, boolean][] = [
    ['pickup_ready_too_early', ready !== null && ready < nowMs - PAST_GRACE_MS],
    ['pickup_ready_too_late', ready !== null && ready >= nowMs + 30 * DAY_MS],
    ['pickup_deadline_too_early', deadline !== null && deadline < nowMs + 20 * MINUTE_MS],
    ['pickup_window_too_small', gapBelow(ready, deadline, 10 * MINUTE_MS)],
    ['dropoff_ready_after_pickup_deadline', gapBelow(dropoffReady, deadline, 0)],
    ['dropoff_deadline_too_early', gapBelow(dropoffReady, dropoffDeadline, 20 * MINUTE_MS)],
    ['dropoff_deadline_before_pickup_deadline', gapBelow(deadline, dropoffDeadline, 0)],
  ]
  return rules.find(([, broken]) => broken)?.[0] ?? null
}

function gapBelow(fromMs: number | null, toMs: number | null, minMs: number): boolean {
  return fromMs !== null && toMs !== null && toMs - fromMs < minMs
}
