import type { TraceContext } from './trace-context.ts'

/** Whether a span of this trace is told of. */
export type Sampler = (traceId: string, parent: TraceContext | null) => boolean

/** The standard's names, as `OTEL_TRACES_SAMPLER` has them. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof SAMPLERS)[number]

/** `ratio` from 0 to 1 is for those that take a share of the traces. */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  const roots: Record<string, Sampler> = {
    always_on: () => true,
    always_off: () => false,
    traceidratio: (traceId) => shareOf(traceId) < ratio,
  }
  const root = roots[name.replace('parentbased_', '')] as Sampler
  return name.startsWith('parentbased_') ? (traceId, parent) => parent?.sampled ?? root(traceId, null) : root
}

/** Below 1, the same in every process: of the last 56 bits, which are random in whatever trace comes (W3C level 2). */
function shareOf(traceId: string): number {
  return Number.parseInt(traceId.slice(-14, -1), 16) / 2 ** 52
}
