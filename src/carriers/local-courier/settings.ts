import { z } from 'zod'
import { adapterSettings } from '../adapter-settings.ts'

const Settings = z.object({
  /** Where bookings go. */
  email: z.email(),
  /** Where manifests go; as bookings unless given. */
  manifest_email: z.email().optional(),
  /** True: they have agreed that a mail calls a booking off. */
  cancel_by_email: z.boolean().default(false),
})
export const SETTINGS = adapterSettings(Settings)
