import type { z } from 'zod'

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
