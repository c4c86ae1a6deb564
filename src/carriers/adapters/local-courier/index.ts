import type { Adapter } from '../../port/adapter.ts'
import type { AdapterContext } from '../../port/adapter-context.ts'
import type { Carrier } from '../../port/carrier.ts'
import { SETTINGS } from './settings.ts'

/**
 * Any courier without an API: it receives its work by mail, and its staff or ours report the status.
 * Idempotency key: our key is the mail's Message-ID and determines the consignment number, so a reader sees
 * that a duplicate mail is the same booking.
 */
function localCourier({ desk, settings }: AdapterContext): Carrier {
  const known = SETTINGS.read(settings)
  const nature = { kind: 'idempotency_key' } as const
  if (!known || !desk) return { nature, toldByHand: true, book: async () => UNREACHABLE }
  const { email = null, manifest_email = email, cancel_by_email, pickup } = known
  return {
    nature,
    toldByHand: true,
    book: (consignment) => desk.book(email, consignment),
    manifest: { submit: (order) => desk.submit(manifest_email, order) },
    ...(pickup === undefined ? {} : { pickup: { number: pickup } }),
    ...(cancel_by_email && email !== null ? { cancel: (number: string) => desk.callOff(email, number) } : {}),
  }
}

const UNREACHABLE = { kind: 'no', cure: 'later', said: 'its settings name no e-mail address' } as const
export const LOCAL_COURIER: Adapter = { make: localCourier, desk: { settingsMistakes: SETTINGS.mistakes } }
