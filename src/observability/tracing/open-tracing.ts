import { randomUUID } from 'node:crypto'
import { outside } from './current.ts'
import { otlpOf } from './otlp.ts'
import { otlpPost } from './otlp-post.ts'
import { samplerOf } from './sampler.ts'
import type { TraceSettings } from './settings.ts'
import type { Tracer } from './span.ts'
import { type SpanResult, spanQueue } from './span-queue.ts'
import { makeTracer } from './tracer.ts'

export type Tracing = {
  tracer: Tracer
  /** Exports the waiting spans, for at most `graceMs`. */
  close(graceMs: number): Promise<void>
}

export type TracingObserver = {
  result(result: SpanResult, spans: number): void
  /** A failed export, with the status or the error code. */
  trouble(message: string): void
}

/** Exports the traces of this process to a collector, by OTLP over HTTP in its JSON form. */
export function openTracing(settings: TraceSettings, observer: TracingObserver): Tracing {
  const { url, headers, sampler, ratio, queue } = settings
  const resource = { 'service.instance.id': randomUUID(), ...settings.resource }
  const write = (spans: Parameters<typeof otlpOf>[0]) => JSON.stringify(otlpOf(spans, resource))
  const { take, close } = spanQueue(queue, otlpPost(url, headers), write, observer)
  const tracer = makeTracer(samplerOf(sampler, ratio), (span) => outside(() => take(span)))
  return { tracer, close }
}
