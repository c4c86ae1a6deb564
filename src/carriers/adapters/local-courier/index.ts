import { z } from 'zod'
import { readSettings } from '../../kit/adapter-settings.ts'
import type { Adapter, AdapterContext } from '../../port/adapter.ts'
import type { Carrier } from '../../port/carrier.ts'

const ADDRESS = 'an email address such as "jobs@example.com"'

const Settings = z
  .object({
    /** The address for bookings; optional if the courier uses the pickup page. */
    email: z.email(ADDRESS).optional(),
    /** The address for manifests; the same as for bookings by default. */
    manifest_email: z.email(ADDRESS).optional(),
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
    error: 'the address that bookings are mailed to, or pickup: 1 if the courier fetches them',
  })

/**
 * Any courier without an API: it receives its work by mail, and its staff or ours report the status.
 * Idempotency key: our key is the mail's Message-ID and determines the consignment number, so a reader sees
 * that a duplicate mail is the same booking. The mail server does not check for duplicates.
 */
function localCourier({ mailPort, settings }: AdapterContext): Carrier {
  const parsed = readSettings(Settings, settings)
  const recovery = { kind: 'idempotency_key', isReadByPeople: true } as const
  if (!parsed || !mailPort) return { recovery, reportedManually: true, book: async () => UNREACHABLE }
  const { email = null, manifest_email = email, cancel_by_email, pickup } = parsed
  return {
    recovery,
    reportedManually: true,
    book: (consignment) => mailPort.book(email, consignment),
    manifest: { submit: (order) => mailPort.submit(manifest_email, order) },
    ...(pickup === undefined ? {} : { pickup: { number: pickup } }),
    ...(cancel_by_email && email !== null
      ? { cancel: (number: string) => mailPort.callOff(email, number) }
      : {}),
  }
}

const UNREACHABLE = { kind: 'no', retry: 'later', message: 'its settings name no email address' } as const
export const LOCAL_COURIER: Adapter = { make: localCourier, usesMail: true, settings: Settings }
