import type { DeliveryRequest } from '../delivery/request.ts'

/** Wrong order numbers after which a link is locked for good. */
export const MOST_WRONG_TRIES = 5

export const LINK_STATUSES = ['open', 'booked', 'expired', 'revoked', 'locked'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

/** A customer's way to book one delivery. What the booking will ask for is kept with it, but for time and type. */
export type Link = {
  accountId: string
  id: string
  storeId: string
  reference: string
  request: LinkRequest
  /** Of the account by whose rules it was made; null where that was not kept yet. */
  accountVersion: number | null
  expiresAtMs: number | null
  createdAtMs: number
  /** When somebody first gave an order's number there, right or wrong; null: nobody has. */
  openedAtMs: number | null
  wrongTries: number
  revokedAtMs: number | null
  usedAtMs: number | null
  deliveryId: string | null
  /** By the database's clock and the account's offset. */
  expired: boolean
}

export type LinkRequest = Omit<DeliveryRequest, 'readyForPickupAt'>

/** What a link can still be used for, the strongest reason first. */
export function statusOf(
  link: Pick<Link, 'revokedAtMs' | 'expired' | 'wrongTries' | 'deliveryId'>,
): LinkStatus {
  if (link.revokedAtMs !== null) return 'revoked'
  if (link.expired) return 'expired'
  if (link.wrongTries >= MOST_WRONG_TRIES) return 'locked'
  return link.deliveryId === null ? 'open' : 'booked'
}
