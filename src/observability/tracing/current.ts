import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'
import type { Attributes, Span, SpanKind, Tracer } from './span.ts'

type Scope = { span: Span; cause: string | null }

/** Never entered without tracing, so a lookup costs nothing. */
const scope = new AsyncLocalStorage<Scope>()

/** The current span; null without tracing. */
export function currentSpan(): Span | null {
  return scope.getStore()?.span ?? null
}

/**
 * The traceparent that a row stores, so that later work on it, in any process, is a child of the request that
 * created it; null if that trace is not sampled.
 */
export function currentTraceparent(): string | null {
  return scope.getStore()?.cause ?? null
}

/** Runs `work` under a span. `cause`: the traceparent that rows store; by default the span's own. */
export function under<T>(span: Span, work: () => T, cause: string | null = null): T {
  return scope.run({ span, cause: cause ?? (span.sampled ? span.traceparent : null) }, work)
}

/** Runs `work` outside the current span, for work that a request starts but that isn't a part of it. */
export function outside<T>(work: () => T): T {
  return scope.exit(work)
}

/** Runs `work` in a child span. */
export async function asPart<T>(
  tracer: Tracer,
  name: string,
  {
    kind,
    attributes = {},
    links = [],
  }: { kind: SpanKind; attributes?: Attributes; links?: readonly string[] },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const outer = scope.getStore()
  const span = tracer.begin(name, { kind, attributes, links, parent: outer?.span.traceparent ?? null })
  try {
    return await under(span, () => work(span), outer?.cause)
  } catch (error) {
    span.fail(typeOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** Marks the current span as failed. */
export function noteFailure(error: unknown): void {
  currentSpan()?.fail(typeOf(error))
}

/** A code or a name, such as `ECONNRESET` or `TypeError`. */
export function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : typeof error
}

/** Reference to a span: W3C Trace Context, level 1. */
export type TraceContext = { traceId: string; spanId: string; sampled: boolean }

/** The span that a `traceparent` names; null if the header is missing or invalid. */
export function readTraceparent(header: unknown): TraceContext | null {
  if (typeof header !== 'string') return null
  const [, traceId, spanId, flags] = GRAMMAR.exec(header) ?? []
  if (!traceId || !spanId || !flags || ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 }
}

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}

export const newTraceId = (): string => randomHex(16)
export const newSpanId = (): string => randomHex(8)

/** Random bytes are fetched in bulk: one system call costs more than the rest of a span. */
const random = Buffer.alloc(4_096)
let used = random.length

function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += bytes
  return random.toString('hex', used - bytes, used)
}

const GRAMMAR = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const ALL_ZERO = /^0+$/
const SAMPLED = 0x01
