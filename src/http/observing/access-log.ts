import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Counter, Gauge, type Metric, type Registry } from 'prom-client'
import type { HttpDeps } from '../contract/deps.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { abandonTrace, beginTrace, endTrace } from './trace.ts'

const UNKNOWN = 'unknown'
const SHED_STATUS = 503

/**
 * Requests of one endpoint with the same method and status: they share a histogram series and a child logger. Requests
 * for unknown paths, refused ones of callers who are not admitted, and shed ones share one series for each status.
 */
type Kind = { observe(seconds: number, sharesSeries: boolean): void; log: Logger; shed: number }

export type AccessLog = {
  /** Counts a request that was shed before it reached the framework. */
  countShed(method: string, endpoint: Endpoint, ms: number): void
}

/** Shed requests come in thousands, so one log entry covers all of this interval. */
const TOGETHER_MS = 1_000

/**
 * Writes one log entry and one measurement for each request; shed requests share a log entry. Both name the route's
 * pattern: URLs, queries, bodies and tokens stay out, because they name customers or grant access.
 */
export function accessLog(app: FastifyInstance, { log, registry, tracer = null }: HttpDeps): AccessLog {
  const secondsOf = histogram(registry, {
    name: 'drover_http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  })
  // The constant part of each kind's log entry is serialised once, and its series is looked up once.
  const kinds = new Map<Endpoint | null, Map<string, Map<number, Kind>>>()
  const getKind = (method: string, endpoint: Endpoint | null, status: number): Kind =>
    kinds.get(endpoint)?.get(method)?.get(status) ?? addKind(method, endpoint, status)
  // 15 lines of metrics for each series: a caller without credentials must not make hundreds of them.
  const refused = new Map<number, Observe>()
  const refusedSeries = (status: number): Observe => {
    const known = refused.get(status)
    if (known) return known
    const series = secondsOf({ method: UNKNOWN, route: UNKNOWN, status })
    refused.set(status, series)
    return series
  }
  const addKind = (method: string, endpoint: Endpoint | null, status: number): Kind => {
    const labels = { method, route: endpoint?.url ?? UNKNOWN, status }
    let own: Observe | null = null
    const kind: Kind = {
      observe(seconds, sharesSeries) {
        if (!endpoint || sharesSeries) refusedSeries(status)(seconds)
        else {
          own ??= secondsOf(labels)
          own(seconds)
        }
      },
      log: log.child(labels),
      shed: 0,
    }
    const byMethod = kinds.get(endpoint) ?? new Map<string, Map<number, Kind>>()
    const byStatus = byMethod.get(method) ?? new Map<number, Kind>()
    kinds.set(endpoint, byMethod.set(method, byStatus.set(status, kind)))
    return kind
  }
  let running = 0
  new Gauge({
    name: 'drover_http_in_flight',
    help: 'Requests in flight.',
    registers: [registry],
    collect() {
      this.set(running)
    },
  })
  const aborted = new Counter({
    name: 'drover_http_aborted_total',
    help: 'Requests whose caller closed the connection before the response.',
    registers: [registry],
  })

  const shed = new Counter({
    name: 'drover_http_shed_total',
    help: 'Requests that load shedding rejected with 503, by route.',
    labelNames: ['route'],
    registers: [registry],
  })
  const noteShed = (kind: Kind, endpoint: Endpoint) => {
    shed.inc({ route: endpoint.url })
    logTogether(kind)
  }

  app.decorateRequest('traceId', null)
  app.decorateRequest('traceparent', null)
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, { raw }, done) => {
    running++
    beginTrace(tracer, request)
    // Fires exactly once, also if the client has hung up: `onResponse` is not called then.
    raw.on('close', () => {
      running--
      if (raw.writableEnded) return
      aborted.inc()
      abandonTrace(request)
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const ms = reply.elapsedTime
    const kind = getKind(request.method, request.endpoint, reply.statusCode)
    const { entry, driver, person } = request
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500
    kind.observe(ms / 1000, request.wasShed || (isRefused && !(entry ?? driver ?? person)))
    if (request.wasShed && request.endpoint) noteShed(kind, request.endpoint)
    else
      kind.log.info({
        request_id: request.id,
        trace_id: request.traceId ?? undefined,
        ms: Math.round(ms * 100) / 100,
        account: request.entry?.account.id,
      })
    endTrace(request, reply.statusCode)
    done()
  })
  return {
    countShed(method, endpoint, ms) {
      const kind = getKind(method, endpoint, SHED_STATUS)
      kind.observe(ms / 1000, true)
      noteShed(kind, endpoint)
    },
  }
}

function logTogether(kind: Kind): void {
  if (kind.shed++ > 0) return
  setTimeout(() => {
    kind.log.warn({ shed: kind.shed }, 'load shed')
    kind.shed = 0
  }, TOGETHER_MS).unref()
}

/** Adds one measurement. */
export type Observe = (value: number) => void

type Series = { labels: Readonly<Record<string, string | number>>; counts: Float64Array; sum: number }
type Sample = { metricName: string; labels: Record<string, string | number>; value: number }

/**
 * A histogram whose series the caller looks up once. The library's own looks them up by label at each measurement,
 * which takes ten times as long as counting. `bounds` ascend; a value equal to a bound is within it.
 */
export function histogram(
  registry: Registry,
  { name, help, bounds }: { name: string; help: string; bounds: readonly number[] },
): (labels: Series['labels']) => Observe {
  const all: Series[] = []
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...metric, values: all.flatMap((series) => toSamples(name, bounds, series)) }),
    reset() {
      for (const series of all) {
        series.counts.fill(0)
        series.sum = 0
      }
    },
  }
  // This is all that the registry uses of a metric, though its type names the library's own class.
  registry.registerMetric(metric as unknown as Metric<string>)

  return (labels) => {
    const series: Series = { labels, counts: new Float64Array(bounds.length + 1), sum: 0 }
    all.push(series)
    return (value) => {
      let place = 0
      while (place < bounds.length && value > (bounds[place] as number)) place++
      series.counts[place] = (series.counts[place] as number) + 1
      series.sum += value
    }
  }
}

/** Buckets are cumulative: each counts all values at or below its bound. */
function toSamples(name: string, bounds: readonly number[], { labels, counts, sum }: Series): Sample[] {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((le, place) => {
    count += counts[place] as number
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { ...labels }, value: sum },
    { metricName: `${name}_count`, labels: { ...labels }, value: count },
  ]
}
