import { z } from 'zod'

/**
 * Reads an adapter's part of a carrier's `settings` by its schema. `resilience.ts` reads the part about HTTP.
 */
export function adapterSettings<S extends z.ZodType>(schema: S) {
  return {
    /** Null: the settings are invalid. */
    read: (settings: unknown): z.output<S> | null => schema.safeParse(settings ?? {}).data ?? null,
    /** One sentence for each problem. */
    mistakes(settings: unknown): string[] {
      const parsed = schema.safeParse(settings ?? {})
      if (parsed.success) return []
      return parsed.error.issues.map(({ path, message }) => `settings.${path.join('.')}: ${message}.`)
    },
  }
}

/**
 * The settings that are set and valid; an invalid value counts as not set. `without`: placeholders for
 * required settings that are missing.
 */
export function goodSettings<S extends z.ZodObject>(
  schema: S,
  settings: Readonly<Record<string, unknown>> = {},
  without: Readonly<Record<string, unknown>> = {},
): z.output<S> {
  const good = Object.entries(schema.shape).filter(([name, one]) => z.safeParse(one, settings[name]).success)
  const kept = Object.fromEntries(good.map(([name]) => [name, settings[name]]))
  return schema.parse({ ...without, ...kept })
}
