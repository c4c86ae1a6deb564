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
    help: 'Spans that ended, by fate: `exported`, `dropped` (too many waited) or `failed` (the collector did not take them).',
    labelNames: ['fate'],
    registers: [registry],
  })
  let saidMs = Number.NEGATIVE_INFINITY
  const resource = { 'drover.role': role, ...settings.resource }
  return openTracing(
    { ...settings, resource },
    {
      fate: (fate, count) => spans.inc({ fate }, count),
      trouble(said) {
        if (performance.now() - saidMs < TROUBLE_EVERY_MS) return
        saidMs = performance.now()
        log.warn({ said }, 'the collector of traces does not take them')
      },
    },
  )
}
