import type { OtlpPost } from './otlp-post.ts'
import type { EndedSpan } from './span.ts'

export type QueueSettings = {
  /** The longest that a span waits for others in its batch. */
  delayMs: number
  /** Most spans that wait; further spans are dropped. */
  maxWaiting: number
  /** Most spans in one export. */
  maxTogether: number
  /** Time-out of one export. */
  timeoutMs: number
}

/**
 * Result of a span: `exported`, `dropped` because too many waited, or `failed` because the collector didn't
 * accept it.
 */
export type SpanResult = 'exported' | 'dropped' | 'failed'

/** Maximum tries of an export that may be retried. */
const TRIES = 5
const FIRST_PAUSE_MS = 1_000

/**
 * Batching of spans for the collector: one export at a time. Adding a span never blocks and never fails;
 * while the collector is unreachable, at most `maxWaiting` spans are kept.
 */
export function spanQueue(
  settings: QueueSettings,
  post: OtlpPost,
  write: (spans: readonly EndedSpan[]) => string,
  observer: { result(result: SpanResult, spans: number): void; trouble(message: string): void },
): { take(span: EndedSpan): void; close(graceMs: number): Promise<void> } {
  const { delayMs, maxWaiting, maxTogether, timeoutMs } = settings
  let waiting: EndedSpan[] = []
  let going: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  /** Aborted when the grace period is over. */
  const ending = new AbortController()
  /** Ends a backoff pause early, so that a stop doesn't wait for it. */
  let endPause = (): void => {}
  let closing = false

  const exportOne = async (): Promise<void> => {
    const spans = waiting.slice(0, maxTogether)
    waiting = waiting.slice(maxTogether)
    const body = write(spans)
    for (let tries = 1; ; tries += 1) {
      const outcome = await post(body, AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)]))
      if (outcome.kind === 'accepted') {
        observer.result('exported', spans.length - outcome.refused)
        if (outcome.refused > 0) observer.result('failed', outcome.refused)
        return
      }
      observer.trouble(outcome.message)
      if (!outcome.again || tries === TRIES || closing) {
        observer.result('failed', spans.length)
        return
      }
      await pause(FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const over = setTimeout(resolve, ms).unref()
      endPause = () => {
        clearTimeout(over)
        resolve()
      }
    })

  const go = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    going ??= exportOne()
      .catch((error: unknown) => observer.trouble(String(error)))
      .finally(() => {
        going = null
        if (waiting.length > 0 && !ending.signal.aborted) soon()
      })
  }

  const soon = (): void => {
    if (closing || waiting.length >= maxTogether) go()
    else timer ??= setTimeout(go, delayMs).unref()
  }

  return {
    take(span) {
      if (waiting.length >= maxWaiting) {
        observer.result('dropped', 1)
        return
      }
      waiting.push(span)
      if (!going) soon()
    },
    async close(graceMs) {
      closing = true
      endPause()
      const over = setTimeout(() => ending.abort(), graceMs)
      while ((going || waiting.length > 0) && !ending.signal.aborted) {
        go()
        await going
      }
      clearTimeout(over)
      if (timer) clearTimeout(timer)
      if (waiting.length > 0) observer.result('dropped', waiting.length)
      waiting = []
    },
  }
}
