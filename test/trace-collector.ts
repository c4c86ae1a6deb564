import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { z } from 'zod'
import { until } from './wait-until.ts'

/** OTLP's JSON form by opentelemetry-proto's trace/v1; any other field is an error. */
const Attributes = z
  .array(
    z.strictObject({
      key: z.string().min(1),
      value: z.union([
        z.strictObject({ stringValue: z.string() }),
        z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
        z.strictObject({ doubleValue: z.number() }),
        z.strictObject({ boolValue: z.boolean() }),
      ]),
    }),
  )
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]])))
const traceId = z.string().regex(/^[0-9a-f]{32}$/)
const spanId = z.string().regex(/^[0-9a-f]{16}$/)
const nanos = z.string().regex(/^\d{19}$/)
const Span = z.strictObject({
  traceId,
  spanId,
  parentSpanId: spanId.optional(),
  flags: z.int(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes: Attributes,
  links: z.array(z.strictObject({ traceId, spanId, flags: z.int() })),
  status: z.strictObject({ code: z.literal(2).optional() }),
})
const Export = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(Span) }),
      ),
    }),
  ),
})

export type ReportedSpan = z.output<typeof Span> & { resource: Record<string, unknown> }

export type TraceCollector = {
  url: string
  /** As received. */
  bodies: string[]
  headers: NodeJS.Dict<string | string[]>[]
  /** The response to the next requests; `silent`: none. */
  fate: number | 'silent'
  spans(): ReportedSpan[]
  /** The first span that matches, as soon as it has arrived. */
  span(what: string, fits: (span: ReportedSpan) => boolean): Promise<ReportedSpan>
}

/** A collector of OpenTelemetry traces, on a port of this machine. */
export async function traceCollector(t: TestContext): Promise<TraceCollector> {
  const spans: ReportedSpan[] = []
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (collector.fate === 'silent') return
    if (request.url !== '/v1/traces' || request.method !== 'POST') return reply.writeHead(404).end()
    if (collector.fate >= 300) return reply.writeHead(collector.fate).end()
    const body = Buffer.concat(chunks).toString()
    collector.headers.push(request.headers)
    collector.bodies.push(body)
    const { success, data, error } = Export.safeParse(JSON.parse(body))
    if (!success) {
      console.error(z.prettifyError(error), body)
      return reply.writeHead(400).end()
    }
    for (const { resource, scopeSpans } of data.resourceSpans) {
      for (const one of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...one, resource: resource.attributes })
      }
    }
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies: [],
    headers: [],
    fate: 200,
    spans: () => spans,
    span: (what, fits) =>
      until(
        () => spans.find(fits),
        () => `the span ${what}; received: ${spans.map(({ name }) => name).join(', ')}`,
      ),
  }
  return collector
}

/** The names of one trace's spans, from all processes, each indented under its parent. */
export function treeOf(spans: readonly ReportedSpan[], traceId: string): string[] {
  const ours = spans.filter((span) => span.traceId === traceId)
  const lines = (parent: ReportedSpan, depth: number): string[] => [
    `${'  '.repeat(depth)}${parent.name}`,
    ...ours
      .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
      .sort((a, b) => (a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1))
      .flatMap((child) => lines(child, depth + 1)),
  ]
  const roots = ours.filter(({ parentSpanId }) => !ours.some(({ spanId }) => spanId === parentSpanId))
  return roots.flatMap((root) => lines(root, 0))
}
