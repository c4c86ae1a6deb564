import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { openTracing, type Tracing } from './tracing/open-tracing.ts'
import type { TraceSettings } from './tracing/settings.ts'

/** Between two warnings that the collector does not take what it is given. */
const TROUBLE_EVERY_MS = 60_000

/** Traces of this process; what becomes of them is counted, and an operator hears of a collector that is away. */
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
