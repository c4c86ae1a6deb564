import { z } from 'zod'
import { Refusal } from '../../../domain/errors.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'
import { metricsText } from '../../observing/metrics-text.ts'

const Health = z
  .strictObject({
    status: z.enum(['ok', 'not_ready']),
    version: z.string().optional(),
    commit: z
      .string()
      .optional()
      .meta({ description: 'The commit of the source that runs; absent if it is unknown.' }),
    reason: z.string().optional(),
    warnings: z.array(z.string()).optional().meta({
      description:
        'Problems that need an operator, for example a disk that is almost full. Drover still serves requests.',
    }),
  })
  .meta({ id: 'Health' })

/** The `warnings` field, absent if there are no warnings. */
function warningsField({ warnings }: Pick<HttpDeps, 'warnings'>): { warnings?: readonly string[] } {
  const current = warnings?.() ?? []
  return current.length > 0 ? { warnings: current } : {}
}

export const SERVICE_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'GET',
    url: '/health/live',
    operationId: 'getLiveness',
    access: 'public',
    tag: 'Service',
    summary: 'Check liveness',
    answers: { 200: { description: 'The process is running.', schema: Health } },
    refusals: [],
    handle: () => json(200, { status: 'ok' }),
  }),
  openEndpoint({
    method: 'GET',
    url: '/health/ready',
    operationId: 'getReadiness',
    access: 'public',
    tag: 'Service',
    summary: 'Check readiness: requests are served and the workers run',
    answers: {
      200: { description: 'The process is ready.', schema: Health },
      503: { description: 'The process is not ready. `reason` says why.', schema: Health },
    },
    refusals: [],
    async handle({ deps, request }) {
      const reason = request.server.stopping ? 'The process is stopping.' : await deps.notReady()
      return reason === null
        ? json(200, {
            status: 'ok',
            version: deps.version,
            ...(deps.commit ? { commit: deps.commit } : {}),
            ...warningsField(deps),
          })
        : json(503, { status: 'not_ready', reason }, { 'retry-after': '2' })
    },
  }),
  openEndpoint({
    method: 'GET',
    url: '/metrics',
    operationId: 'getMetrics',
    access: 'public',
    tag: 'Service',
    summary: 'Get metrics for Prometheus',
    description:
      'If `METRICS_PORT` is set, the metrics are available only on that port, and this path returns 404. The text is at most a second old.',
    answers: {
      200: { description: 'The metrics in the Prometheus text exposition format.', media: ['text/plain'] },
    },
    refusals: ['not_found'],
    async handle({ deps }) {
      if (deps.hasOwnMetricsPort) throw new Refusal('not_found', 'Metrics have their own port.')
      const body = await metricsText(deps.registry)
      return { status: 200, headers: { 'content-type': deps.registry.contentType }, body }
    },
  }),
  openEndpoint({
    method: 'GET',
    url: '/map',
    operationId: 'getMap',
    access: 'public',
    tag: 'Service',
    summary: 'Get the base map of the pages',
    answers: {
      200: {
        description:
          'The map tiles that the pages use. Without `tiles`, the pages draw their own simple map.',
        schema: z
          .strictObject({
            data: z.strictObject({
              tiles: z
                .strictObject({
                  url: z.string().meta({
                    description: 'The URL of a MapLibre style, or of raster tiles with `{z}/{x}/{y}`.',
                  }),
                  attribution: z.string().optional(),
                })
                .optional(),
            }),
          })
          .meta({ id: 'MapAnswer' }),
      },
    },
    refusals: [],
    handle: ({ deps: { mapTiles } }) => {
      const tiles = mapTiles && { url: mapTiles.url, attribution: mapTiles.attribution ?? undefined }
      return json(200, { data: { tiles: tiles ?? undefined } })
    },
  }),
  openEndpoint({
    method: 'GET',
    url: '/',
    operationId: 'getIndex',
    access: 'public',
    tag: 'Service',
    summary: 'List the main URLs',
    answers: {
      200: {
        description: 'The main URLs of this service.',
        schema: z
          .strictObject({
            name: z.string(),
            version: z.string(),
            documentation: z.string(),
            openapi: z.string(),
          })
          .meta({ id: 'ServiceIndex' }),
      },
    },
    refusals: [],
    handle: ({ deps }) =>
      json(200, {
        name: 'Drover',
        version: deps.version,
        documentation: `${deps.publicUrl}/docs`,
        openapi: `${deps.publicUrl}/openapi.json`,
      }),
  }),
]
