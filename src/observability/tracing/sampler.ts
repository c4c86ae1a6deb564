import type { TraceContext } from './current.ts'

/** Whether a span of this trace is exported. */
export type Sampler = (traceId: string, parent: TraceContext | null) => boolean

/** The standard's names, as in `OTEL_TRACES_SAMPLER`. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof SAMPLERS)[number]

/** `ratio`, from 0 to 1, is for samplers that export a share of the traces. */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  const roots: Record<string, Sampler> = {
    always_on: () => true,
    always_off: () => false,
    traceidratio: (traceId) => shareOf(traceId) < ratio,
  }
  const root = roots[name.replace('parentbased_', '')] as Sampler
  return name.startsWith('parentbased_') ? (traceId, parent) => parent?.sampled ?? root(traceId, null) : root
}

/**
 * Below 1, and the same in every process: taken from the last 56 bits, which are random in every trace id
 * (W3C level 2).
 */
function shareOf(traceId: string): number {
  return Number.parseInt(traceId.slice(-14, -1), 16) / 2 ** 52
}
