import { asPart, currentSpan } from '../../observability/tracing/current.ts'
import type { Tracer } from '../../observability/tracing/span.ts'
import type { CarrierRequest, CarrierResponse, Send } from '../port/send.ts'

/** The attributes of every call: our own key of the carrier, and the host that it went to. */
export type CallNames = {
  provider: string
  adapter: string
  serverOf(request: CarrierRequest): string | undefined
}

/**
 * Wraps each request in a span. The path is left out, because paths hold consignment numbers. The carrier
 * gets no `traceparent`: it could only use it to correlate our requests.
 */
export function withSpan(send: Send, tracer: Tracer, { provider, adapter, serverOf }: CallNames): Send {
  return (request) =>
    asPart(
      tracer,
      request.method,
      {
        kind: 'client',
        attributes: {
          'http.request.method': request.method,
          'server.address': serverOf(request),
          'drover.carrier': provider,
          'drover.adapter': adapter,
          'drover.operation': currentSpan()?.attributes['drover.operation'],
        },
      },
      async (span) => {
        const response = await send(request)
        if (response.kind === 'answered') span.set({ 'http.response.status_code': response.status })
        span.set({ 'drover.outcome': response.kind })
        const error = errorOf(response)
        if (error) span.fail(error)
        return response
      },
    )
}

function errorOf(response: CarrierResponse): string | null {
  if (response.kind !== 'answered') return response.kind
  return response.status >= 400 ? `${response.status}` : null
}
