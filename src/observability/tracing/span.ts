/**
 * Allowed values in a span: our own ids, names of routes, carriers and servers, codes. Never text that a
 * person wrote.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** An operation in progress, until `end`. */
export type Span = {
  readonly traceId: string
  /** The reference by which other services name this span. */
  readonly traceparent: string
  /** Whether it will be exported: the sampler may have excluded it. */
  readonly sampled: boolean
  readonly attributes: Attributes
  set(attributes: Attributes): void
  /** Records only the type of an error: its message may hold text that a person wrote. */
  fail(errorType: string): void
  end(): void
}

export type SpanStart = {
  kind: SpanKind
  /** A traceparent; null: it starts a trace. */
  parent: string | null
  /** Traceparents of other requests that it works for. */
  links?: readonly string[]
  attributes?: Attributes
}

export type Tracer = { begin(name: string, start: SpanStart): Span }

/** An ended span, as exported. Times are epoch milliseconds with fractions. */
export type EndedSpan = Readonly<{
  name: string
  kind: SpanKind
  traceId: string
  spanId: string
  parentSpanId: string | null
  startMs: number
  endMs: number
  attributes: Attributes
  links: readonly { traceId: string; spanId: string }[]
  errorType: string | null
}>
