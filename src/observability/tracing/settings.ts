import type { SamplerName } from './sampler.ts'
import type { QueueSettings } from './span-queue.ts'

/** The trace collector and the sampler; `config.ts` reads them from the standard variables. */
export type TraceSettings = Readonly<{
  /** The full URL of the collector's traces endpoint. */
  url: string
  headers: Readonly<Record<string, string>>
  sampler: SamplerName
  /** From 0 to 1. */
  ratio: number
  /** `service.name` and the operator's other attributes of this process. */
  resource: Readonly<Record<string, string>>
  queue: QueueSettings
}>
