import { z } from 'zod'
import { adapterSettings } from '../../kit/adapter-settings.ts'

/** DoorDash Drive's part of a carrier's `settings`; `resilience.ts` reads the part about HTTP. */
const Settings = z.object({
  /** The number that Dashers call for a store without its own phone. */
  pickup_phone: z
    .string()
    .regex(/^\+[0-9]{8,15}$/)
    .nullable()
    .default(null),
  /** True: DoorDash sends the customer SMS too. We send ours anyway. */
  customer_notifications: z.boolean().default(false),
})
export type Settings = z.output<typeof Settings>

export const SETTINGS = adapterSettings(Settings)
/** Used while the account's own settings are invalid. */
export const DEFAULTS = Settings.parse({})
