import type { SamplerName } from './sampler.ts'
import type { QueueSettings } from './span-queue.ts'

/** Where traces go and which; read from the standard's variables by `config.ts`. */
export type TraceSettings = Readonly<{
  /** The whole address of the collector's trace door. */
  url: string
  headers: Readonly<Record<string, string>>
  sampler: SamplerName
  /** From 0 to 1. */
  ratio: number
  /** `service.name` and whatever else the operator says of this process. */
  resource: Readonly<Record<string, string>>
  queue: QueueSettings
}>
