import type { Attributes, EndedSpan, SpanKind } from './span.ts'

/**
 * Spans as the body of one OTLP export, in the protocol's JSON form (opentelemetry-proto, trace/v1): ids in
 * hex, enumerations as numbers, 64-bit numbers as text.
 */
export function otlpOf(spans: readonly EndedSpan[], resource: Attributes): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'drover' }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, consumer: 5 }
const STATUS_ERROR = 2
/** The trace flag `sampled`. */
const FLAGS = 1
/** Our own values are shorter; values that a caller could make long (a method, a code) are cut. */
const LONGEST = 256

function spanOf(span: EndedSpan): object {
  const { traceId, spanId, parentSpanId, name, kind, links, errorType } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    flags: FLAGS,
    name: name.slice(0, LONGEST),
    kind: KINDS[kind],
    startTimeUnixNano: nanosOf(span.startMs),
    endTimeUnixNano: nanosOf(span.endMs),
    attributes: attributesOf(
      errorType === null ? span.attributes : { ...span.attributes, 'error.type': errorType },
    ),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId, flags: FLAGS })),
    status: errorType === null ? {} : { code: STATUS_ERROR },
  }
}

/** Rounded to microseconds: the clock's resolution, and still an exact integer. */
function nanosOf(ms: number): string {
  return `${Math.round(ms * 1_000)}000`
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: wireValue(value) }],
  )
}

function wireValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value.slice(0, LONGEST) }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: `${value}` } : { doubleValue: value }
}
