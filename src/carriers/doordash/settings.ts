import { z } from 'zod'

/** DoorDash Drive's part of a carrier's `settings`; the wire reads its own. */
const Settings = z.object({
  /** Whom Dashers call about a store that has no phone of its own. */
  pickup_phone: z
    .string()
    .regex(/^\+[0-9]{8,15}$/)
    .nullable()
    .default(null),
  /** True: DoorDash tells the customer by SMS as well. We do so anyway. */
  customer_notifications: z.boolean().default(false),
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
