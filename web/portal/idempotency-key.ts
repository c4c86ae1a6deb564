/**
 * A new idempotency key for one intention of a user, so that a second press has no second effect. Works without
 * HTTPS too.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
