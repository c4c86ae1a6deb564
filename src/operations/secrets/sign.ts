import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What a signature is for. Each purpose has its own key, so a signature is valid for one purpose only. */
export type Purpose =
  | 'access-token'
  | 'document-url'
  | 'link-token'
  | 'link-session'
  | 'driver-job'
  | 'driver-code'
  | 'delivery-pin'
  | 'user-link'
  | 'tracking-token'
  | 'tracking-mask'
  | 'courier-link'
  | 'courier-pickup'
  | 'known-device'
  | 'passkey'
  | 'mcp-confirmation'
  | 'assistant-token'
  | 'assistant-refresh'

/** HMAC-SHA256 of the text as base64url: 43 characters. */
export function sign(secretKey: string, purpose: Purpose, text: string): string {
  return createHmac('sha256', keyFor(secretKey, purpose)).update(text).digest('base64url')
}

/** Whether the signature is ours, compared in constant time. */
export function isSignedBy(secretKey: string, purpose: Purpose, text: string, signature: string): boolean {
  return sameText(sign(secretKey, purpose, text), signature)
}

/**
 * Capability URL: the query that opens `path` without a bearer token until `expMs` (epoch milliseconds): `exp=…&sig=…`.
 */
export function signPath(secretKey: string, path: string, expMs: number): string {
  const exp = Math.floor(expMs / 1000)
  return `exp=${exp}&sig=${sign(secretKey, 'document-url', `${path}\n${exp}`)}`
}

export type SignedPathState = 'valid' | 'expired' | 'invalid'

/** Whether a query's `exp` and `sig` open this path at this moment of the wall clock. Only our own can be expired. */
export function checkSignedPath(
  secretKey: string,
  path: string,
  { exp, sig }: { exp: string; sig: string },
  nowMs: number,
): SignedPathState {
  if (!/^\d{1,12}$/.test(exp)) return 'invalid'
  if (!isSignedBy(secretKey, 'document-url', `${path}\n${exp}`, sig)) return 'invalid'
  return Number(exp) * 1000 <= nowMs ? 'expired' : 'valid'
}

/** Constant-time comparison for equal lengths; lengths are not secret here. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

const keys = new Map<string, KeyObject>()

/** Deriving a key costs 10 µs, so each process does it once per key and purpose. */
function keyFor(secretKey: string, purpose: Purpose): KeyObject {
  const name = `${purpose}\n${secretKey}`
  const known = keys.get(name)
  if (known) return known
  // A KeyObject, because Node prepares raw bytes at every use: 10 µs instead of 1.5.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, 'drover', purpose, 32)))
  keys.set(name, key)
  return key
}
