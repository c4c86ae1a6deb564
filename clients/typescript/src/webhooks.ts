/** Verifies webhooks as in Standard Webhooks 1.0.0. */
import type { WebhookMessage } from './types.generated.ts'
import { webCrypto } from './web-crypto.ts'

export type WebhookEvent = WebhookMessage & {
  /** The same at every attempt: skip an event whose id you have handled. */
  id: string
}

export type WebhookRequest = {
  /** The body as it arrived. Do not parse it first: the signature is over its bytes. */
  body: string | Uint8Array
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** `whsec_…`; several while you rotate. */
  secret: string | readonly string[]
  /** For tests: the current time. */
  nowMs?: number
}

export type WebhookErrorCode = 'header_missing' | 'timestamp_out_of_tolerance' | 'signature_mismatch'

/** The request is not Drover's, or it is too old: answer 400 and do nothing else. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

const TOLERANCE_MS = 5 * 60 * 1_000
const PREFIX = 'whsec_'
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** The event of a webhook, if its signature is right and it was sent in the last five minutes; throws `WebhookError`. */
export async function verifyWebhook({
  body,
  headers,
  secret,
  nowMs = Date.now(),
}: WebhookRequest): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    getHeader(headers, name),
  ) as [string, string, string]
  const sentMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN
  if (!(Math.abs(nowMs - sentMs) <= TOLERANCE_MS)) {
    const message = 'The webhook was not sent in the last five minutes. Check the clock of this server.'
    throw new WebhookError('timestamp_out_of_tolerance', message)
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const candidates = signatures.split(' ').filter((part) => part.startsWith('v1,'))
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    for (const candidate of candidates) {
      if (await isSignedWith(one, signed, candidate.slice('v1,'.length))) {
        return { ...(JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage), id }
      }
    }
  }
  const message = 'No signature matches. Check the secret, and that the body is the one that arrived.'
  throw new WebhookError('signature_mismatch', message)
}

/** `verify` of WebCrypto compares in constant time. */
async function isSignedWith(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signature: string,
): Promise<boolean> {
  const keyBytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (!keyBytes || keyBytes.length === 0)
    throw new TypeError('The webhook secret is not base64: copy it again.')
  const signatureBytes = fromBase64(signature)
  if (!signatureBytes) return false
  const { subtle } = await webCrypto()
  const key = await subtle.importKey('raw', keyBytes, HMAC, false, ['verify'])
  return subtle.verify('HMAC', key, signatureBytes, signed)
}

function getHeader(headers: WebhookRequest['headers'], name: string): string {
  const values = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value = typeof values === 'string' ? values : values?.[0]
  if (!value) throw new WebhookError('header_missing', `The webhook has no ${name} header.`)
  return value
}

function isHeaders(headers: WebhookRequest['headers']): headers is Headers {
  return typeof headers.get === 'function'
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
