import type { Deps } from '../context/deps.ts'
import { isSignedBy, sign } from '../secrets/sign.ts'

/** From the end of its window on: time for a return, and for who opens his mail late. */
const LIVES_MS = 14 * 24 * 3_600_000

/** One booking, by the key under which the courier was told of it: an address is no use for a later one. */
export type Booked = { accountId: string; key: string }

/** The address by which a courier's people read one booking and say how far it is; needs no log-in. */
export function courierAddress(
  { secretKey, publicUrl }: Pick<Deps, 'secretKey' | 'publicUrl'>,
  booked: Booked,
  windowToMs: number,
): string {
  const exp = Math.floor((windowToMs + LIVES_MS) / 1_000)
  const sig = sign(secretKey, 'courier-link', textOf(booked, exp))
  return `${publicUrl}/courier/${encodeURIComponent(booked.accountId)}/${booked.key}?exp=${exp}&sig=${sig}`
}

/** Whether an address is ours and still good at this moment of account time. */
export function isCourierAddress(
  secretKey: string,
  booked: Booked,
  { exp, sig }: { exp: string; sig: string },
  nowMs: number,
): boolean {
  if (!/^\d{1,12}$/.test(exp) || Number(exp) * 1_000 <= nowMs) return false
  return isSignedBy(secretKey, 'courier-link', textOf(booked, Number(exp)), sig)
}

function textOf({ accountId, key }: Booked, exp: number): string {
  return `${accountId}\n${key}\n${exp}`
}

/** What a courier's address opens. */
export type PickupLink = { accountId: string; provider: string; sig: string }

/** The address at which a courier fetches his work; null where he has none. It is good until `settings.pickup` changes. */
export function pickupAddress(deps: Deps, accountId: string, provider: string): string | null {
  const pickup = deps.carrierOf(accountId, provider)?.pickup
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
