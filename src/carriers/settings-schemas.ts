import { z } from 'zod'
import { toIssue } from '../domain/account/validation/mistake.ts'
import { settingsMistakes } from '../domain/account/validation/settings-mistakes.ts'
import type { Adapter } from './port/adapter.ts'
import { ADAPTERS } from './registry.ts'
import { ResilienceShape } from './wire/resilience.ts'

/** The whole `settings` of a carrier by its adapter: the adapter's own, and those of HTTP where it speaks HTTP. */
export const SETTINGS_SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map(
  [...ADAPTERS].map(([name, adapter]) => [name, schemaOf(adapter)]),
)

function schemaOf({ settings, usesMail }: Adapter): z.ZodType {
  const own = settings ?? z.object({})
  return (usesMail ? own : own.safeExtend(ResilienceShape)).strict()
}

/** What is wrong with a carrier's settings, a sentence or two for each field. */
export function settingsSentences(adapter: string, settings: unknown): string[] {
  const schema = SETTINGS_SCHEMAS.get(adapter)
  if (!schema) return []
  return settingsMistakes(schema, settings, ['settings']).map((mistake) => {
    const { field, message } = toIssue(mistake)
    return `${field}: ${message}`
  })
}
