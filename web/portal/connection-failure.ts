import { count } from '../shared/count.ts'
import { toProblem } from '../shared/problem.ts'
import { clockWords } from '../shared/times.ts'

/**
 * Why there are no updates. `sinceMs` is the time of the last response, on the account's clock: the page shows data
 * from that moment. After a rate limit polling continues by itself, at `untilMs` of the browser's clock.
 */
export type ConnectionFailure =
  | { why: 'signal' | 'records' | 'server'; sinceMs: number }
  | { why: 'pace'; untilMs: number }

type Clocks = { sinceMs: number; wallMs: number }

/** What a failure means for the connection; null if the server responded with a rejection. */
export function toConnectionFailure(error: unknown, { sinceMs, wallMs }: Clocks): ConnectionFailure | null {
  const { status, retryAfterSeconds } = toProblem(error)
  if (status === 429) return { why: 'pace', untilMs: wallMs + (retryAfterSeconds ?? 1) * 1_000 }
  if (status === 0) return { why: 'signal', sinceMs }
  if (status === 503) return { why: 'records', sinceMs }
  return status >= 500 ? { why: 'server', sinceMs } : null
}

const DISABLED_REASONS: Readonly<Record<ConnectionFailure['why'], string | null>> = {
  signal: 'No connection. You can continue once the connection is back.',
  records: 'Our database isn’t available. You can continue once it’s back.',
  server: 'Something is wrong on our side. You can continue once we’ve fixed it.',
  pace: null,
}

/** Why actions that write are disabled; null while they are enabled. */
export function writesDisabledReason(failure: ConnectionFailure | null): string | null {
  return failure && DISABLED_REASONS[failure.why]
}

/** The problem, and its consequence. */
export function formatConnectionFailure(
  failure: ConnectionFailure,
  wallMs: number,
  zone: string,
): { bold: string; rest: string } {
  if (failure.why === 'pace') {
    const seconds = Math.max(1, Math.ceil((failure.untilMs - wallMs) / 1_000))
    return { bold: 'Too many requests.', rest: `We’ll try again in ${count(seconds, 'second')}.` }
  }
  const since = clockWords(failure.sinceMs, zone)
  if (failure.why === 'signal') {
    return {
      bold: `No connection since ${since}.`,
      rest: 'This page shows everything as it was then. We’ll reconnect automatically.',
    }
  }
  return {
    bold: failure.why === 'records' ? 'Our database isn’t available.' : 'Something is wrong on our side.',
    rest: `This page was last updated at ${since}. Everything you did before then is saved.`,
  }
}
