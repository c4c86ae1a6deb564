import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Whether `given` is the hex HMAC-SHA256 of exactly these bytes. Always false with an empty key. */
export function isHmac(received: string, key: string, ...bytes: readonly (string | Buffer)[]): boolean {
  if (!key || !/^[0-9a-f]{64}$/i.test(received)) return false
  const mac = createHmac('sha256', key)
  for (const part of bytes) mac.update(part)
  return timingSafeEqual(mac.digest(), Buffer.from(received, 'hex'))
}

/** Constant-time comparison of two secrets, for texts of any length. */
export function isSame(received: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(received), digest(expected))
}

/**
 * A name for a rate limit that belongs to an API key: different for each key, and reveals nothing about the
 * key.
 */
export function namedByKey(name: string, key: string): string {
  return `${name} ${createHash('sha256').update(`budget ${key}`).digest('hex').slice(0, 12)}`
}
