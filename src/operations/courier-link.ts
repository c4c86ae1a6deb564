import type { Deps } from './deps.ts'
import { isSignedBy, sign } from './sign.ts'

/** From the end of its window on: time for a return, and for who opens his mail late. */
const LIVES_MS = 14 * 24 * 3_600_000

/** The address by which a courier's people read one booking and say how far it is; needs no log-in. */
export function courierAddress(
  { secretKey, publicUrl }: Pick<Deps, 'secretKey' | 'publicUrl'>,
  { accountId, deliveryId }: { accountId: string; deliveryId: string },
  windowToMs: number,
): string {
  const exp = Math.floor((windowToMs + LIVES_MS) / 1_000)
  const sig = sign(secretKey, 'courier-link', textOf({ accountId, deliveryId }, exp))
  return `${publicUrl}/courier/${encodeURIComponent(accountId)}/${deliveryId}?exp=${exp}&sig=${sig}`
}

/** Whether an address is ours and still good at this moment of account time. */
export function isCourierAddress(
  secretKey: string,
  named: { accountId: string; deliveryId: string },
  { exp, sig }: { exp: string; sig: string },
  nowMs: number,
): boolean {
  if (!/^\d{1,12}$/.test(exp) || Number(exp) * 1_000 <= nowMs) return false
  return isSignedBy(secretKey, 'courier-link', textOf(named, Number(exp)), sig)
}

function textOf({ accountId, deliveryId }: { accountId: string; deliveryId: string }, exp: number): string {
  return `${accountId}\n${deliveryId}\n${exp}`
}
