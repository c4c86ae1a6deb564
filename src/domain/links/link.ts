import type { DeliveryRequest } from '../delivery/request.ts'

/** Wrong order numbers after which a link is locked for good. */
export const MAX_FAILED_ATTEMPTS = 5

export const LINK_STATUSES = ['open', 'booked', 'expired', 'revoked', 'locked'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

/** A customer's link to book one delivery. It stores everything that the booking needs except time and type. */
export type Link = {
  accountId: string
  id: string
  storeId: string
  reference: string
  request: LinkRequest
  /** Version of the account when the link was created; null for links from before we stored it. */
  accountVersion: number | null
  expiresAtMs: number | null
  createdAtMs: number
  /** When an order number was first entered there, right or wrong; null: never. */
  openedAtMs: number | null
  failedAttempts: number
  revokedAtMs: number | null
  usedAtMs: number | null
  deliveryId: string | null
  /** By the database's clock and the account's offset. */
  expired: boolean
}

export type LinkRequest = Omit<DeliveryRequest, 'readyForPickupAt'>

/** The state of a link; the strongest reason against its use comes first. */
export function getLinkStatus(
  link: Pick<Link, 'revokedAtMs' | 'expired' | 'failedAttempts' | 'deliveryId'>,
): LinkStatus {
  if (link.revokedAtMs !== null) return 'revoked'
  // The expiry ends the booking, not the customer's sight of what they booked.
  if (link.expired && link.deliveryId === null) return 'expired'
  if (link.failedAttempts >= MAX_FAILED_ATTEMPTS) return 'locked'
  return link.deliveryId === null ? 'open' : 'booked'
}
