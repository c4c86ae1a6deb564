import { createHash } from 'node:crypto'

/** A run takes less than this, so a time that is counted from the run's start is the same after rounding down. */
const STEP_SECONDS = 300

const ULID = '[0-9a-hjkmnp-tv-z]{26}'
const TIME = /\b(\d{4}-\d\d-\d\dT\d\d):(\d\d):(\d\d)(\.\d+)?/g
const EPOCH_SECONDS = /\b1[789]\d{8}\b/g
const REQUEST_ID = /\breq_[\w-]{12}(?=\.)/g
const CONSIGNMENT = /\b(SWF|SPO|SP|OWN)([0-9A-Z]{12})(?=(\d{3})?\b)/g
const SECOND_FACTOR = /\b[A-Z2-7]{32}\b/g
const CLIENT = /\bclient_[0-9a-f]{20}\b/g
const WEBHOOK_SECRET = /\bwhsec_[\w+/]{43}=/g
/** A random text in base64url, perhaps with a prefix of ours; see `isRandom`. An image in base64 is none. */
const TOKEN = /(?<![\w-]|sig=|base64,[\w+/]*)(drt_|drs_|quo_)?([\w-]{22,})/g
/** It covers the time until which it is valid, so two links to one document differ if a second passed between them. */
const SIGNATURE = /([\w/.-]+)\?exp=(\d+)&sig=([\w-]+)/g
/** Numbers that differ from run to run, and that only their field's name tells. */
const FIELDS: Readonly<Record<string, string>> = { delivery_pin: '"4821"', duration_ms: '12' }

/**
 * Replaces what differs from run to run by fixed values of the same form. A value is replaced by the same one in every
 * text; `known` has the replacements of some.
 */
export function textStabiliser(known: ReadonlyMap<string, string>): (text: string) => string {
  const replacements = new Map(known)
  const counts = new Map<string, number>()
  const replace = (kind: string, found: string, make: (count: number) => string): string => {
    const count = counts.get(kind) ?? 0
    const replacement = replacements.get(found) ?? make(count)
    if (!replacements.has(found)) counts.set(kind, count + 1)
    replacements.set(found, replacement)
    return replacement
  }
  const texts = [...known].filter(([found]) => !new RegExp(`_${ULID}$`).test(found))
  return (text) =>
    texts
      .reduce((changed, [found, by]) => changed.replaceAll(found, by), text)
      .replace(new RegExp(`\\b([a-z]{2,4}_)(${ULID})(?![0-9a-z])`, 'g'), (found, prefix) =>
        replace('id', found, (count) => `${prefix}01kax3v8y2m4s6t8w0z2b4${toBase32(count)}`),
      )
      .replace(TIME, (found, hour, minute, second) =>
        minute === '59' && ['00', '59'].includes(second)
          ? found
          : `${hour}:${roundDown(minute)}:00${found.includes('.') ? '.000' : ''}`,
      )
      .replace(EPOCH_SECONDS, (found) => String(Number(found) - (Number(found) % STEP_SECONDS)))
      .replace(REQUEST_ID, () => `req_${digest('request', 'base64url', 12)}`)
      .replace(
        CONSIGNMENT,
        (_, prefix, core) =>
          `${prefix}${replace('consignment', core, (count) => digest(`consignment ${count}`, 'hex', 12).toUpperCase())}`,
      )
      .replace(SECOND_FACTOR, () => 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
      .replace(CLIENT, (found) =>
        replace('client', found, (count) => `client_${digest(`client ${count}`, 'hex', 20)}`),
      )
      .replace(WEBHOOK_SECRET, (found) =>
        replace('webhook', found, (count) => `whsec_${digest(`webhook ${count}`, 'base64', 44)}`),
      )
      .replace(SIGNATURE, (_, path, exp, signature) => {
        return `${path}?exp=${exp}&sig=${digest(`signature ${path}`, 'base64url', signature.length)}`
      })
      .replace(TOKEN, (found, prefix = '', token) =>
        isRandom(token)
          ? prefix + replace('token', found, (count) => digest(`token ${count}`, 'base64url', token.length))
          : found,
      )
      .replace(/"(delivery_pin|duration_ms)":("\d+"|\d+)/g, (_, name) => `"${name}":${FIELDS[name]}`)
}

/** Words joined by dashes have no capital letters, or no digits. */
function isRandom(token: string): boolean {
  return [/[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(token))
}

function roundDown(minute: string): string {
  const step = STEP_SECONDS / 60
  return String(Number(minute) - (Number(minute) % step)).padStart(2, '0')
}

/** The last four characters of an id in Crockford's base 32. */
function toBase32(count: number): string {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz'
  return [15, 10, 5, 0].map((bits) => digits[(count >> bits) & 31]).join('')
}

/** The first characters of a made-up value. */
function digest(of: string, encoding: 'hex' | 'base64' | 'base64url', length: number): string {
  const parts = Array.from({ length: Math.ceil(length / 40) }, (_, part) =>
    createHash('sha256').update(`${of} ${part}`).digest(encoding),
  )
  return parts.join('').slice(0, length)
}
