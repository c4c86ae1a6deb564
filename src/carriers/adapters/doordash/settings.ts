import { z } from 'zod'
import { adapterSettings } from '../../kit/adapter-settings.ts'

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

export const SETTINGS = adapterSettings(Settings)
/** What holds while the account's own cannot be read. */
export const DEFAULTS = Settings.parse({})
