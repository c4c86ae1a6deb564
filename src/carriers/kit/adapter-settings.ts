import { z } from 'zod'

/** An adapter's part of a carrier's `settings`, read by its schema; the wire reads its own part. */
export function adapterSettings<S extends z.ZodType>(schema: S) {
  return {
    /** Null where something is wrong with them. */
    read: (settings: unknown): z.output<S> | null => schema.safeParse(settings ?? {}).data ?? null,
    /** A sentence for each thing that is wrong. */
    mistakes(settings: unknown): string[] {
      const parsed = schema.safeParse(settings ?? {})
      if (parsed.success) return []
      return parsed.error.issues.map(({ path, message }) => `settings.${path.join('.')}: ${message}.`)
    },
  }
}

/** What is set and good; a value that is not is as if it were not set. `without`: what stands for one it must have. */
export function goodSettings<S extends z.ZodObject>(
  schema: S,
  settings: Readonly<Record<string, unknown>> = {},
  without: Readonly<Record<string, unknown>> = {},
): z.output<S> {
  const good = Object.entries(schema.shape).filter(([name, one]) => z.safeParse(one, settings[name]).success)
  const kept = Object.fromEntries(good.map(([name]) => [name, settings[name]]))
  return schema.parse({ ...without, ...kept })
}
