import { z } from 'zod'

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
  const valid = Object.fromEntries(good.map(([name]) => [name, settings[name]]))
  return schema.parse({ ...without, ...valid })
}

/** Reads an adapter's part of a carrier's `settings` by its schema; null if they are invalid. */
export function readSettings<S extends z.ZodType>(schema: S, settings: unknown): z.output<S> | null {
  return schema.safeParse(settings ?? {}).data ?? null
}
