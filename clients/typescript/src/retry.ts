import { DroverError } from './errors.ts'

const STATUSES: readonly (number | null)[] = [408, 429, 502, 503, 504]
/** Another request works on the same thing and will end: an answer to wait for, not a failure. */
const IN_PROGRESS: readonly string[] = ['idempotency_in_progress', 'booking_in_progress']
const MAX_IN_PROGRESS_MS = 60_000
const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 8_000

type RetryLimits = {
  maxRetries: number
  /** If `Retry-After` is longer, the request fails and the caller decides. */
  maxRetryAfterMs: number
  signal?: AbortSignal | undefined
}

/** No answer, or one that says "later". */
export function isTransient({ code, status }: DroverError): boolean {
  return code === 'connection_failed' || code === 'timeout' || STATUSES.includes(status)
}

/** Whether the request may have been carried out although its answer was lost. */
export function isUncertain({ status }: DroverError): boolean {
  return status === null || status === 502 || status === 504
}

/** Backoff with full jitter: a random time up to 0.5 s, 1 s, 2 s … 8 s; `Retry-After` is the least. */
export function toDelayMs(attempt: number, retryAfterMs: number | null): number {
  const backoffMs = Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt)
  // Clients that were all refused together must not all come back together.
  return retryAfterMs === null ? backoffMs : retryAfterMs + Math.min(backoffMs, FIRST_BACKOFF_MS)
}

/** Repeats a request that is safe to repeat. */
export async function withRetries<T>(
  send: () => Promise<T>,
  { maxRetries, maxRetryAfterMs, signal }: RetryLimits,
): Promise<T> {
  let retries = 0
  let waits = 0
  let waitedMs = 0
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof DroverError)) throw error
      const isInProgress = IN_PROGRESS.includes(error.code) && waitedMs < MAX_IN_PROGRESS_MS
      if (!isInProgress && (retries >= maxRetries || !isTransient(error))) throw error
      if (error.retryAfterMs !== null && error.retryAfterMs > maxRetryAfterMs) throw error
      const delayMs = toDelayMs(isInProgress ? waits++ : retries++, error.retryAfterMs)
      if (isInProgress) waitedMs += delayMs
      await sleep(delayMs, signal)
    }
  }
}

/** Rejects with the signal's reason as soon as it aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    signal?.throwIfAborted()
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      done()
    }, ms)
    const onAbort = (): void => {
      clearTimeout(timer)
      fail(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
