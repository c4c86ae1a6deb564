import { z } from 'zod'
import { adapterSettings } from '../../kit/adapter-settings.ts'

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

export const SETTINGS = adapterSettings(Settings)
/** What holds while the account's own cannot be read. */
export const DEFAULTS = Settings.parse({})
