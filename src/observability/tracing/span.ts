/** What a span may say: ids of ours, names of routes, carriers and servers, codes. Never what a person wrote. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** Something that is being done, until `end`. */
export type Span = {
  readonly traceId: string
  /** What others name it by. */
  readonly traceparent: string
  /** Whether it will be told of: the sampler may have said no. */
  readonly sampled: boolean
  readonly attributes: Attributes
  set(attributes: Attributes): void
  /** What went wrong, by its kind alone: messages of errors may hold what a person wrote. */
  fail(errorType: string): void
  end(): void
}

export type SpanStart = {
  kind: SpanKind
  /** A traceparent; null: it begins a trace. */
  parent: string | null
  /** Traceparents of others that it works for. */
  links?: readonly string[]
  attributes?: Attributes
}

export type Tracer = { begin(name: string, start: SpanStart): Span }

/** What is told of a span that has ended. Instants are epoch milliseconds with fractions. */
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
