import type { FastifyRequest } from 'fastify'
import { newSpanId, readTraceparent, under, writeTraceparent } from '../../observability/tracing/current.ts'
import type { Span, Tracer } from '../../observability/tracing/span.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the trace that the client sent, or of the trace that began with the request. */
    traceId: string | null
    /** The `traceparent` of our own span in that trace. */
    traceparent: string | null
    /** Null if there is no tracer, or if this request is not traced. */
    span: Span | null
  }
}

/**
 * Continues the client's trace. With a tracer, every request gets a span, even without an incoming trace; without a
 * tracer it only gets a span id in the client's trace.
 */
export function beginTrace(tracer: Tracer | null, request: FastifyRequest): void {
  const { headers, method } = request
  const incoming = readTraceparent(headers.traceparent)
  if (!tracer || isMachineRequest(request)) {
    if (!incoming) return
    request.traceId = incoming.traceId
    request.traceparent = writeTraceparent({ ...incoming, spanId: newSpanId() })
    return
  }
  const parent = incoming && writeTraceparent(incoming)
  const route = findRoute(request)
  const span = tracer.begin(route === null ? method : `${method} ${route}`, {
    kind: 'server',
    parent,
    attributes: {
      'http.request.method': method,
      'http.route': route ?? undefined,
      'drover.request.id': request.id,
    },
  })
  request.span = span
  request.traceId = span.traceId
  request.traceparent = span.traceparent
}

/** Ends the span of an answered request: client errors are not span errors, server failures are. */
export function endTrace({ span, entry }: FastifyRequest, status: number): void {
  if (!span) return
  span.set({ 'http.response.status_code': status, 'drover.account.id': entry?.account.id })
  if (status >= 500) span.fail(`${status}`)
  span.end()
}

/** Ends the span of a request whose client hung up; work in progress for it may continue. */
export function abandonTrace({ span }: FastifyRequest): void {
  span?.fail('aborted')
  span?.end()
}

/** Runs the work under the request's span, if it has one. */
export function underItsSpan<T>(work: (request: FastifyRequest) => T): (request: FastifyRequest) => T {
  return (request) => (request.span ? under(request.span, () => work(request)) : work(request))
}

/** The route's pattern: the URL itself may name a customer. */
function findRoute({ is404, routeOptions }: FastifyRequest): string | null {
  return is404 ? null : (routeOptions.url ?? null)
}

/** Health probes and metrics scrapers call every second, and their traces are of no use. */
function isMachineRequest(request: FastifyRequest): boolean {
  const route = findRoute(request)
  return route === '/metrics' || (route?.startsWith('/health/') ?? false)
}
