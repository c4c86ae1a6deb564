import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { BoundField, Hold } from '../../../domain/quoting/quote-token.ts'
import { DELIVERY_TYPES } from '../../../domain/values.ts'

/** Authenticated encryption (AES-256-GCM): a quote token contains its promise, so that Drover stores no promise. */
export type QuoteToken = {
  hold: Hold
  /** Wall time, as every token lives. */
  untilMs: number
  /** Account time: the last moment at which the calendar keeps the window. */
  keptUntilMs: number
  /** In the order of the fields; null: the quote left it open. */
  bound: readonly (string | null)[]
}

/** Whose tokens: those of one account, and of a link only that link's. */
export type TokenPlace = { secretKey: string; accountId: string; linkId: string | null }

/** `quo_` and base64url: about 300 characters. */
export function sealQuoteToken(place: TokenPlace, token: QuoteToken): string {
  const { hold, untilMs, keptUntilMs, bound } = token
  const { fromMs, toMs } = hold.window
  const text = JSON.stringify([
    VERSION,
    untilMs,
    keptUntilMs,
    bound.map((digest) => digest ?? '').join(' '),
    DELIVERY_TYPES.indexOf(hold.deliveryType),
    fromMs,
    toMs,
    ...(hold.kind === 'option' ? optionFields(hold) : []),
  ])
  const { encryption } = deriveKeys(place)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', encryption, nonce).setAAD(toContext(place))
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return PREFIX + sealed.toString('base64url')
}

/** Null: it was not made by us, for this account and this link. */
export function openQuoteToken(place: TokenPlace, text: string): QuoteToken | null {
  if (!QUOTE_ID.test(text)) return null
  const sealed = Buffer.from(text.slice(PREFIX.length), 'base64url')
  // More than one text may decode to the same bytes; only the one that we wrote is ours.
  if (PREFIX + sealed.toString('base64url') !== text || sealed.length < NONCE_BYTES + TAG_BYTES) return null
  const tagAt = sealed.length - TAG_BYTES
  const cipher = createDecipheriv(
    'aes-256-gcm',
    deriveKeys(place).encryption,
    sealed.subarray(0, NONCE_BYTES),
    {
      authTagLength: TAG_BYTES,
    },
  )
    .setAAD(toContext(place))
    .setAuthTag(sealed.subarray(tagAt))
  try {
    return parseToken(
      Buffer.concat([cipher.update(sealed.subarray(NONCE_BYTES, tagAt)), cipher.final()]).toString(),
    )
  } catch {
    return null
  }
}

/** What a token keeps of each field. Under a key of ours, so nobody can look for another value that fits. */
export function toDigests(place: TokenPlace, fields: readonly BoundField[]): (string | null)[] {
  const { digest } = deriveKeys(place)
  return fields.map(({ field, text }) =>
    text === null
      ? null
      : createHmac('sha256', digest)
          .update(`${field}\n${text}`)
          .digest('base64url')
          .slice(0, DIGEST_CHARACTERS),
  )
}

export const QUOTE_ID = /^quo_[A-Za-z0-9_-]{40,1200}$/

const PREFIX = 'quo_'
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** 36 bits: only we can try a value, and a request is limited. */
const DIGEST_CHARACTERS = 6
/** A carrier's quote id that is longer is not kept: the carrier is asked again. */
const MAX_CARRIER_QUOTE = 200

type Payload = [number, number, number, string, number, number, number, ...OptionFields]
type OptionFields = [] | [string, string, number] | [string, string, number, string | null, number, number]

function optionFields({
  provider,
  service,
  priceCents,
  quote,
}: Extract<Hold, { kind: 'option' }>): OptionFields {
  if (!quote || (quote.id?.length ?? 0) > MAX_CARRIER_QUOTE) return [provider, service, priceCents]
  return [provider, service, priceCents, quote.id, quote.expiresAtMs, quote.priceCents]
}

function parseToken(text: string): QuoteToken | null {
  const [version, untilMs, keptUntilMs, digests, type, fromMs, toMs, ...option] = JSON.parse(text) as Payload
  const deliveryType = DELIVERY_TYPES[type]
  if (version !== VERSION || !deliveryType) return null
  const bound = digests.split(' ').map((digest) => (digest === '' ? null : digest))
  const shared = { deliveryType, window: { fromMs, toMs } }
  const [provider, service, priceCents, id = null, expiresAtMs, quotedCents] = option
  const hold: Hold =
    provider === undefined
      ? { kind: 'window', ...shared }
      : {
          kind: 'option',
          ...shared,
          provider,
          service: service!,
          priceCents: priceCents!,
          quote: expiresAtMs === undefined ? null : { id, expiresAtMs, priceCents: quotedCents! },
        }
  return { hold, untilMs, keptUntilMs, bound }
}

function toContext({ accountId, linkId }: TokenPlace): Buffer {
  return Buffer.from(`${accountId}\n${linkId ?? ''}`)
}

type Keys = { encryption: Buffer; digest: Buffer }
const derived = new Map<string, Keys>()
/** Accounts whose keys a process keeps; deriving costs 20 µs. */
const MAX_KEPT = 1_000

/** A key for each account: with one key for all, random nonces would repeat too soon. */
function deriveKeys({ secretKey, accountId }: TokenPlace): Keys {
  const name = `${accountId}\n${secretKey}`
  const known = derived.get(name)
  if (known) return known
  const bytes = Buffer.from(hkdfSync('sha256', secretKey, 'drover', `quote-token\n${accountId}`, 64))
  const keys = { encryption: bytes.subarray(0, 32), digest: bytes.subarray(32) }
  if (derived.size >= MAX_KEPT) derived.clear()
  derived.set(name, keys)
  return keys
}
