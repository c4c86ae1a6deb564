import { z } from 'zod'

/** DoorDash Drive's part of a carrier's `settings`; `resilience.ts` reads the part about HTTP. */
export const Settings = z.object({
  /** The number that Dashers call for a store without its own phone. */
  pickup_phone: z
    .string()
    .regex(/^\+[0-9]{8,15}$/, 'a phone number with its country, such as "+61390000000"')
    .nullable()
    .default(null),
  /** True: DoorDash sends the customer SMS too. We send ours anyway. */
  customer_notifications: z.boolean().default(false),
})
export type Settings = z.output<typeof Settings>

/** Used while the account's own settings are invalid. */
export const DEFAULTS = Settings.parse({})
