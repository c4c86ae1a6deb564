import { newSpanId, newTraceId, readTraceparent, writeTraceparent } from './current.ts'
import type { Sampler } from './sampler.ts'
import type { Attributes, EndedSpan, Span, SpanStart, Tracer } from './span.ts'

/** Makes spans, and passes the sampled ones to `take` when they end. */
export function makeTracer(sampler: Sampler, take: (span: EndedSpan) => void): Tracer {
  return {
    begin(name, start) {
      const parent = readTraceparent(start.parent)
      const traceId = parent?.traceId ?? newTraceId()
      const context = { traceId, spanId: newSpanId(), sampled: sampler(traceId, parent) }
      const traceparent = writeTraceparent(context)
      if (!context.sampled) return { traceId, traceparent, sampled: false, ...NOT_TOLD }
      const begun = { name, ...context, parentSpanId: parent?.spanId ?? null }
      return { traceId, traceparent, sampled: true, ...reportedSpan(begun, start, take) }
    },
  }
}

const NOT_TOLD = { attributes: {}, set() {}, fail() {}, end() {} }

type Begun = Pick<EndedSpan, 'name' | 'traceId' | 'spanId' | 'parentSpanId'>

function reportedSpan(
  { name, traceId, spanId, parentSpanId }: Begun,
  { kind, attributes: given = {}, links = [] }: SpanStart,
  take: (span: EndedSpan) => void,
): Pick<Span, 'attributes' | 'set' | 'fail' | 'end'> {
  const startMs = preciseNowMs()
  const attributes: Record<string, Attributes[string]> = { ...given }
  let errorType: string | null = null
  let ended = false
  return {
    attributes,
    set: (more) => {
      Object.assign(attributes, more)
    },
    fail: (type) => {
      errorType = type
    },
    end() {
      if (ended) return
      ended = true
      const known = links.flatMap((link) => readTraceparent(link) ?? [])
      const endMs = Math.max(startMs, preciseNowMs())
      const ids = { traceId, spanId, parentSpanId }
      take({ name, kind, ...ids, startMs, endMs, attributes, links: known, errorType })
    },
  }
}

/** The monotonic clock drifts from the wall clock, which may also be set. */
const MAX_DRIFT_MS = 20
let originMs = performance.timeOrigin

/** Epoch milliseconds with fractions, so that spans shorter than a millisecond keep their order. */
function preciseNowMs(): number {
  const nowMs = originMs + performance.now()
  const wallMs = Date.now()
  if (Math.abs(wallMs - nowMs) <= MAX_DRIFT_MS) return nowMs
  originMs = wallMs - performance.now()
  return wallMs
}
