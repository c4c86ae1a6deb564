import { z } from 'zod'
import { adapterSettings } from '../../kit/adapter-settings.ts'

const Settings = z
  .object({
    /** The address for bookings; optional if the courier uses the pickup page. */
    email: z.email().optional(),
    /** The address for manifests; the same as for bookings by default. */
    manifest_email: z.email().optional(),
    /** True: the courier has agreed that a mail cancels a booking. */
    cancel_by_email: z.boolean().default(false),
    /**
     * Capability URL: the courier opens bookings and manifests on its own pickup page. Changing the number
     * revokes the earlier URL.
     */
    pickup: z.int().min(1).max(1_000_000).optional(),
  })
  .refine(({ email, pickup }) => email !== undefined || pickup !== undefined, {
    path: ['email'],
    error: 'say where his bookings go, or pickup: 1 where he fetches them',
  })
export const SETTINGS = adapterSettings(Settings)
