/** An Idempotency-Key for one intention of one person: the same press twice is done once. Works without HTTPS too. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
