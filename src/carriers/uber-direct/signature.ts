import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether Uber signed these very bytes: hex HMAC-SHA256 of the body under the webhook's own key. The older header
 * name is still sent. No time is signed, so a copy is told by its event id.
 */
export function isSignedByUber(
  headers: Readonly<Record<string, string | undefined>>,
  body: Buffer,
  key: string,
): boolean {
  const given = headers['x-uber-signature'] ?? headers['x-postmates-signature'] ?? ''
  if (!key || !/^[0-9a-f]{64}$/i.test(given)) return false
  return timingSafeEqual(createHmac('sha256', key).update(body).digest(), Buffer.from(given, 'hex'))
}
