import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { Refusal } from '../../domain/errors.ts'
import { isSignedBy, sign } from '../secrets/sign.ts'

/** How long a person has to answer their browser's passkey prompt. */
export const CHALLENGE_LIFE_MS = 5 * 60_000
const RANDOM_BYTES = 16
const EXPIRY_BYTES = 6
const OPEN_BYTES = RANDOM_BYTES + EXPIRY_BYTES
const SIGNATURE_BYTES = 32

/** What a challenge is for: a registration belongs to one person. */
export type ChallengeUse = 'log-in' | { accountId: string; userId: string }

/**
 * A challenge is random, with its expiry and our signature, so it needs no row before it is answered: anybody may ask
 * for one. 54 bytes.
 */
export function newChallenge(secretKey: string, use: ChallengeUse, nowMs: number): Buffer {
  const open = Buffer.alloc(OPEN_BYTES)
  randomBytes(RANDOM_BYTES).copy(open)
  open.writeUIntBE(nowMs + CHALLENGE_LIFE_MS, RANDOM_BYTES, EXPIRY_BYTES)
  const signature = sign(secretKey, 'passkey', toSignedText(use, open))
  return Buffer.concat([open, Buffer.from(signature, 'base64url')])
}

/** When this challenge expires, in epoch milliseconds; null if it is not ours, is for another use or has expired. */
export function readChallenge(
  secretKey: string,
  use: ChallengeUse,
  challenge: string,
  nowMs: number,
): number | null {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== OPEN_BYTES + SIGNATURE_BYTES) return null
  const open = bytes.subarray(0, OPEN_BYTES)
  const signature = bytes.subarray(OPEN_BYTES).toString('base64url')
  if (!isSignedBy(secretKey, 'passkey', toSignedText(use, open), signature)) return null
  const expiresMs = open.readUIntBE(RANDOM_BYTES, EXPIRY_BYTES)
  return expiresMs > nowMs ? expiresMs : null
}

function toSignedText(use: ChallengeUse, open: Buffer): string {
  const whose = use === 'log-in' ? ['log-in'] : ['register', use.accountId, use.userId]
  return [...whose, open.toString('base64url')].join('\n')
}

const LOOPBACK = /^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=[:/]|$)/

/** The site that passkeys belong to (WebAuthn: relying party): its host name, and the origin of our pages. */
export type RelyingParty = { id: string; origin: string }

/**
 * Refuses `passkeys_unavailable` where browsers have no passkeys: at an IP address, and without HTTPS. This machine's own
 * addresses stand for localhost, because Drover listens on 127.0.0.1 unless told otherwise.
 */
export function getRelyingParty(publicUrl: string): RelyingParty {
  const { hostname, origin, protocol } = new URL(publicUrl.replace(LOOPBACK, '$1localhost'))
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  if (isSecure && isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return { id: hostname, origin }
  throw new Refusal(
    'passkeys_unavailable',
    `Passkeys need an address with a host name and https, or localhost. Drover’s address is ${origin}. The operator can change the address with PUBLIC_URL.`,
  )
}
