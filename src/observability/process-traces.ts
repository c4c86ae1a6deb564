import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { openTracing, type Tracing } from './tracing/open-tracing.ts'
import type { TraceSettings } from './tracing/settings.ts'

/** Minimum interval between two warnings that the collector rejects or doesn't receive spans. */
const TROUBLE_EVERY_MS = 60_000

/**
 * Tracing of this process: counts exported and lost spans, and warns the operator if the collector is
 * unreachable.
 */
export function processTraces(
  settings: TraceSettings,
  { role, registry, log }: { role: string; registry: Registry; log: Logger },
): Tracing {
  const spans = new Counter({
    name: 'drover_trace_spans_total',
    help: 'Spans that ended, by result: `exported`, `dropped` (the queue was full) or `failed` (the collector rejected them, or could not be reached).',
    labelNames: ['result'],
    registers: [registry],
  })
  let saidMs = Number.NEGATIVE_INFINITY
  const resource = { 'drover.role': role, ...settings.resource }
  return openTracing(
    { ...settings, resource },
    {
      result: (result, count) => spans.inc({ result }, count),
      trouble(message) {
        if (performance.now() - saidMs < TROUBLE_EVERY_MS) return
        saidMs = performance.now()
        log.warn({ message }, 'the trace collector did not accept spans')
      },
    },
  )
}
