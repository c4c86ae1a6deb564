import { decodeTime } from 'ulid'
import type { Delivery } from '../../../domain/delivery/delivery.ts'
import { signPath } from '../../../operations/secrets/sign.ts'
import type { HttpDeps } from '../../contract/deps.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A signed URL of a document is valid for 24 hours from the response that contains it. */
const LINK_LIFE_MS = DAY_MS
/** Shops store a label's URL once, when it is booked. */
const BOOKED_LINK_LIFE_MS = 30 * DAY_MS

/** Capability URL: an absolute, signed URL that opens a document without a bearer token. */
export function signedUrl(deps: HttpDeps, path: string): string {
  return `${deps.publicUrl}${path}?${signPath(deps.secretKey, path, Date.now() + LINK_LIFE_MS)}`
}

/**
 * The same URL in every answer, valid until 30 days after the booking: of the label and the declaration. Booking times
 * are account time, which a test clock may have moved, so the wall time of creation is taken from the delivery's id.
 */
export function signedUrlOfBooking(
  deps: HttpDeps,
  path: string,
  { id, createdAtMs, bookedAtMs }: Pick<Delivery, 'id' | 'createdAtMs' | 'bookedAtMs'>,
): string {
  const waitedMs = Math.max(0, (bookedAtMs ?? createdAtMs) - createdAtMs)
  const expMs = decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()) + waitedMs + BOOKED_LINK_LIFE_MS
  return `${deps.publicUrl}${path}?${signPath(deps.secretKey, path, expMs)}`
}
