import { z } from 'zod'

const Settings = z.object({
  /** Where bookings go. */
  email: z.email(),
  /** Where manifests go; as bookings unless given. */
  manifest_email: z.email().optional(),
  /** True: they have agreed that a mail calls a booking off. */
  cancel_by_email: z.boolean().default(false),
})
export type CourierSettings = z.output<typeof Settings>

/** Null: they cannot be told anything. */
export function readSettings(settings: unknown): CourierSettings | null {
  return Settings.safeParse(settings).data ?? null
}

export function settingsMistakes(settings: unknown): string[] {
  const parsed = Settings.safeParse(settings)
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `settings.${path.join('.')}: ${message}.`)
}
