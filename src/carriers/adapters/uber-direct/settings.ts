import { z } from 'zod'

/** Uber Direct's part of a carrier's `settings`; `resilience.ts` reads the part about HTTP. */
export const Settings = z.object({
  /**
   * The courier's proof at an ordinary handover, if the job requires nothing stricter and the parcel may not
   * be left.
   */
  handover_proof: z.enum(['picture', 'pin', 'none']).default('picture'),
  /** The number that couriers call for a store without its own phone. */
  pickup_phone: z
    .string()
    .regex(/^\+[0-9]{8,15}$/, 'a phone number with its country, such as "+61390000000"')
    .nullable()
    .default(null),
})
export type Settings = z.output<typeof Settings>

/** Used while the account's own settings are invalid. */
export const DEFAULTS = Settings.parse({})
