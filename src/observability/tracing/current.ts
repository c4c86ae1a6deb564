import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span, SpanKind, Tracer } from './span.ts'

type Scope = { span: Span; cause: string | null }

/** Without tracing it is never entered, so that asking it costs nothing. */
const scope = new AsyncLocalStorage<Scope>()

/** The span that this is done under; null without tracing. */
export function currentSpan(): Span | null {
  return scope.getStore()?.span ?? null
}

/**
 * What a row keeps, as a traceparent, so that work on it later, in whatever process, stands under the request that
 * began it all; null where nobody will be told of that one.
 */
export function currentCause(): string | null {
  return scope.getStore()?.cause ?? null
}

/** Does something under a span. `cause`: what rows keep of it; the span itself unless another began it. */
export function under<T>(span: Span, work: () => T, cause: string | null = null): T {
  return scope.run({ span, cause: cause ?? (span.sampled ? span.traceparent : null) }, work)
}

/** Does something that belongs to nobody's span, though it was begun under one. */
export function outside<T>(work: () => T): T {
  return scope.exit(work)
}

/** Does something as a part of what is being done, told of as a span of its own. */
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

/** Notes on the span that this is done under that it failed. */
export function noteFailure(error: unknown): void {
  currentSpan()?.fail(typeOf(error))
}

/** A code or a name, such as `ECONNRESET` or `TypeError`. */
export function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : typeof error
}
