import { createHmac, timingSafeEqual } from 'node:crypto'

// Swiftly resends with a new timestamp, so an old timestamp means a replay.
const TOLERANCE_S = 300

/** Whether Swiftly signed exactly these bytes recently: HMAC-SHA256 over `{timestamp}.{body}`. */
export function isSignedBySwiftly(
  headers: Readonly<Record<string, string | undefined>>,
  body: Buffer,
  secret: string,
  wallMs: number,
): boolean {
  const timestamp = headers['swiftly-timestamp'] ?? ''
  const received = /^v1=([0-9a-f]{64})$/.exec(headers['swiftly-signature'] ?? '')?.[1]
  if (!received || !secret || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(wallMs / 1000 - Number(timestamp)) > TOLERANCE_S) return false

  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(received, 'hex'))
}
