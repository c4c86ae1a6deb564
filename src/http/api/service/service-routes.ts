import { z } from 'zod'
import { Refusal } from '../../../domain/errors.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'

const Health = z
  .strictObject({
    status: z.enum(['ok', 'not_ready']),
    reason: z.string().optional(),
    warnings: z.array(z.string()).optional().meta({
      description:
        'Problems for an operator to solve, such as a disk that is filling up. Drover still serves requests.',
    }),
  })
  .meta({ id: 'Health' })

/** Absent where there are none. */
function warningsOf({ warnings }: Pick<HttpDeps, 'warnings'>): { warnings?: readonly string[] } {
  const told = warnings?.() ?? []
  return told.length > 0 ? { warnings: told } : {}
}

export const SERVICE_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'GET',
    url: '/health/live',
    operationId: 'getLiveness',
    access: 'public',
    tag: 'Service',
    summary: 'Whether the process answers',
    answers: { 200: { description: 'It does.', schema: Health } },
    refusals: [],
    handle: () => json(200, { status: 'ok' }),
  }),
  openEndpoint({
    method: 'GET',
    url: '/health/ready',
    operationId: 'getReadiness',
    access: 'public',
    tag: 'Service',
    summary: 'Whether requests are served and the workers run',
    answers: {
      200: { description: 'Ready.', schema: Health },
      503: { description: 'Not ready, and why.', schema: Health },
    },
    refusals: [],
    async handle({ deps, request }) {
      const reason = request.server.stopping ? 'The process is stopping.' : await deps.notReady()
      return reason === null
        ? json(200, { status: 'ok', ...warningsOf(deps) })
        : json(503, { status: 'not_ready', reason }, { 'retry-after': '2' })
    },
  }),
  openEndpoint({
    method: 'GET',
    url: '/metrics',
    operationId: 'getMetrics',
    access: 'public',
    tag: 'Service',
    summary: 'Metrics for Prometheus',
    description: 'If `METRICS_PORT` is set, metrics are only at that port, and this path is 404.',
    answers: { 200: { description: 'Text exposition format.', media: ['text/plain'] } },
    refusals: ['not_found'],
    async handle({ deps }) {
      if (deps.hasOwnMetricsPort) throw new Refusal('not_found', 'Metrics have their own port.')
      const body = await deps.registry.metrics()
      return { status: 200, headers: { 'content-type': deps.registry.contentType }, body }
    },
  }),
  openEndpoint({
    method: 'GET',
    url: '/map',
    operationId: 'getMap',
    access: 'public',
    tag: 'Service',
    summary: 'What the pages draw maps on',
    answers: {
      200: {
        description: 'Without `tiles`: on a drawing of their own.',
        schema: z
          .strictObject({
            data: z.strictObject({
              tiles: z
                .strictObject({
                  url: z.string().meta({
                    description: 'A MapLibre style, or raster tiles with `{z}/{x}/{y}` in the address.',
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
    summary: 'Where things are',
    answers: {
      200: {
        description: 'Addresses of this service.',
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
