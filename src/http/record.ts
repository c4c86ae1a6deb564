import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { HttpDeps } from './deps.ts'

/**
 * One log line and one measurement for each request. Both name the route's pattern: addresses, queries,
 * bodies and tokens stay out, for they name customers or open doors.
 */
export function record(app: FastifyInstance, { log, registry }: HttpDeps): void {
  const seconds = new Histogram({
    name: 'drover_http_request_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const inFlight = new Gauge({
    name: 'drover_http_in_flight',
    help: 'Requests being answered.',
    registers: [registry],
  })
  const refused = new Counter({
    name: 'drover_http_aborted_total',
    help: 'Requests whose caller hung up before the answer.',
    registers: [registry],
  })
  let running = 0
  inFlight.set({}, 0)

  app.addHook('onRequest', (_request, _reply, done) => {
    inFlight.set(++running)
    done()
  })
  app.addHook('onRequestAbort', (_request, done) => {
    refused.inc()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    inFlight.set(--running)
    const route = request.endpoint?.url ?? 'unknown'
    const ms = reply.elapsedTime
    seconds.observe({ method: request.method, route, status: reply.statusCode }, ms / 1000)
    log.info({
      request_id: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(ms * 100) / 100,
      account: request.entry?.account.id,
    })
    done()
  })
}
