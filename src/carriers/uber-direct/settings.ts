import { z } from 'zod'

/** Uber Direct's part of a carrier's `settings`; the wire reads its own. */
const Settings = z.object({
  /** What the courier takes at an ordinary handover, where nothing asks for more and nothing may be left. */
  handover_proof: z.enum(['picture', 'pin', 'none']).default('picture'),
  /** Whom couriers call about a store that has no phone of its own. */
  pickup_phone: z
    .string()
    .regex(/^\+[0-9]{8,15}$/)
    .nullable()
    .default(null),
})
export type Settings = z.output<typeof Settings>

export function readSettings(settings: unknown): Settings {
  const parsed = Settings.safeParse(settings ?? {})
  return parsed.success ? parsed.data : Settings.parse({})
}

export function settingsMistakes(settings: unknown): string[] {
  const parsed = Settings.safeParse(settings)
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `settings.${path.join('.')}: ${message}.`)
}
