import type { FastifyRequest } from 'fastify'
import { under } from '../../observability/tracing/current.ts'
import type { Span, Tracer } from '../../observability/tracing/span.ts'
import { newSpanId, readTraceparent, writeTraceparent } from '../../observability/tracing/trace-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the trace that came with the request, or that began with it. */
    traceId: string | null
    /** Of our own span in that trace. */
    traceparent: string | null
    /** Null where nobody is told of requests, or not of this one. */
    span: Span | null
  }
}

/**
 * Continues the trace that came with a request. With a tracer the request is a span, also where no trace came; without
 * one it only gets a name in the caller's trace.
 */
export function beginTrace(tracer: Tracer | null, request: FastifyRequest): void {
  const { headers, method } = request
  const came = readTraceparent(headers.traceparent)
  if (!tracer || isAskedByMachines(request)) {
    if (!came) return
    request.traceId = came.traceId
    request.traceparent = writeTraceparent({ ...came, spanId: newSpanId() })
    return
  }
  const parent = came && writeTraceparent(came)
  const route = routeOf(request)
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

/** Ends the span of an answered request: refusals are answers, what failed is ours. */
export function endTrace({ span, entry }: FastifyRequest, status: number): void {
  if (!span) return
  span.set({ 'http.response.status_code': status, 'drover.account.id': entry?.account.id })
  if (status >= 500) span.fail(`${status}`)
  span.end()
}

/** Ends the span of a request whose caller hung up; what was begun for it may go on. */
export function abandonTrace({ span }: FastifyRequest): void {
  span?.fail('aborted')
  span?.end()
}

/** The same work, done under the request's span where it has one. */
export function underItsSpan<T>(work: (request: FastifyRequest) => T): (request: FastifyRequest) => T {
  return (request) => (request.span ? under(request.span, () => work(request)) : work(request))
}

/** The pattern of its address: the address itself may name a customer. */
function routeOf({ is404, routeOptions }: FastifyRequest): string | null {
  return is404 ? null : (routeOptions.url ?? null)
}

/** Probes and scrapers come each second, and nobody asks what became of one. */
function isAskedByMachines(request: FastifyRequest): boolean {
  const route = routeOf(request)
  return route === '/metrics' || (route?.startsWith('/health/') ?? false)
}
