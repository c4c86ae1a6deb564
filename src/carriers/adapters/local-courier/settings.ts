import { z } from 'zod'
import { adapterSettings } from '../../kit/adapter-settings.ts'

const Settings = z
  .object({
    /** Where bookings go; may be left out where he fetches them. */
    email: z.email().optional(),
    /** Where manifests go; as bookings unless given. */
    manifest_email: z.email().optional(),
    /** True: they have agreed that a mail calls a booking off. */
    cancel_by_email: z.boolean().default(false),
    /** He fetches bookings and manifests at an address of his own; another number voids the address of an earlier one. */
    pickup: z.int().min(1).max(1_000_000).optional(),
  })
  .refine(({ email, pickup }) => email !== undefined || pickup !== undefined, {
    path: ['email'],
    error: 'say where his bookings go, or pickup: 1 where he fetches them',
  })
export const SETTINGS = adapterSettings(Settings)
