import type { Deps } from '../deps.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { isSignedBy, sign } from '../secrets/sign.ts'

/**
 * Lifetime after the end of the delivery window: leaves time for a return, and for couriers who open their mail late.
 */
const LIVES_MS = 14 * 24 * 3_600_000

/** One booking, by the key that the courier received: the link is not valid for a later booking. */
export type Booked = { accountId: string; key: string }

/** Capability URL: opens one booking for the courier, to read it and report progress without logging in. */
export function courierAddress(
  { secretKey, publicUrl }: Pick<Deps, 'secretKey' | 'publicUrl'>,
  booked: Booked,
  windowToMs: number,
): string {
  const exp = Math.floor((windowToMs + LIVES_MS) / 1_000)
  const sig = sign(secretKey, 'courier-link', toSignedText(booked, exp))
  return `${publicUrl}/courier/${encodeURIComponent(booked.accountId)}/${booked.key}?exp=${exp}&sig=${sig}`
}

/** Whether a link is ours and still valid at this moment of account time. */
export function isCourierAddress(
  secretKey: string,
  booked: Booked,
  { exp, sig }: { exp: string; sig: string },
  nowMs: number,
): boolean {
  if (!/^\d{1,12}$/.test(exp) || Number(exp) * 1_000 <= nowMs) return false
  return isSignedBy(secretKey, 'courier-link', toSignedText(booked, Number(exp)), sig)
}

function toSignedText({ accountId, key }: Booked, exp: number): string {
  return `${accountId}\n${key}\n${exp}`
}

/** The parts of a courier's pickup link. */
export type PickupLink = { accountId: string; provider: string; sig: string }

/** The URL at which a courier fetches their jobs; null if they have none. Valid until `settings.pickup` changes. */
export async function pickupAddress(deps: Deps, accountId: string, provider: string): Promise<string | null> {
  const pickup = (await findCarrier(deps, accountId, provider))?.pickup
  if (!pickup) return null
  const sig = sign(deps.secretKey, 'courier-pickup', pickupText({ accountId, provider }, pickup.number))
  return `${deps.publicUrl}/pickup/${encodeURIComponent(accountId)}/${encodeURIComponent(provider)}?sig=${sig}`
}

export function pickupText(
  { accountId, provider }: Pick<PickupLink, 'accountId' | 'provider'>,
  number: number,
): string {
  return `${accountId}\n${provider}\n${number}`
}
