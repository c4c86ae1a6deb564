import { LRUCache } from 'lru-cache'
import type { Deps } from '../deps.ts'
import { sameText, sign } from '../secrets/sign.ts'
import { accountTag, TAG_BYTES } from './account-tag.ts'

/** Length of the proof that we made the token, and of the delivery's id, which is a ULID. */
const PROOF_BYTES = 16
const ID_BYTES = 16
const TOKEN = /^[A-Za-z0-9_-]{48}$/

/**
 * Capability URL: the last part of a delivery's tracking URL. It has 128 bits that cannot be guessed without our secret
 * key, and the delivery's id masked by them, so that neither the id nor its time can be read. It is derived from the id
 * whenever it is needed and never stored: creating a delivery costs no extra statement.
 */
export function trackingToken(secretKey: string, accountId: string, deliveryId: string): string {
  const key = `${secretKey}\n${accountId}\n${deliveryId}`
  const known = tokens.get(key)
  if (known !== undefined) return known
  const proof = signDelivery(secretKey, accountId, deliveryId)
  const id = masked(secretKey, proof, bytesOfId(deliveryId))
  const token = Buffer.concat([accountTag(accountId), proof, id]).toString('base64url')
  tokens.set(key, token)
  return token
}

/** Lists show the same deliveries again and again, and a token takes two signatures. */
const tokens = new LRUCache<string, string>({ max: 2_000 })

/** The URL at which the customer tracks a delivery. */
export function trackingAddress(
  deps: Pick<Deps, 'secretKey' | 'publicUrl'>,
  accountId: string,
  deliveryId: string,
): string {
  return `${deps.publicUrl}${trackingPath(deps, accountId, deliveryId)}`
}

/** The same without the host. */
export function trackingPath(
  { secretKey }: Pick<Deps, 'secretKey'>,
  accountId: string,
  deliveryId: string,
): string {
  return `/track/${trackingToken(secretKey, accountId, deliveryId)}`
}

/**
 * The delivery that a token of this account tracks; null if we did not make the token for this account. Needs no
 * database query.
 */
export function trackedDelivery(secretKey: string, accountId: string, token: string): string | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  if (!bytes.subarray(0, TAG_BYTES).equals(accountTag(accountId))) return null
  const proof = bytes.subarray(TAG_BYTES, TAG_BYTES + PROOF_BYTES)
  const deliveryId = idOfBytes(masked(secretKey, proof, bytes.subarray(TAG_BYTES + PROOF_BYTES)))
  const made = signDelivery(secretKey, accountId, deliveryId)
  return sameText(made.toString('base64url'), proof.toString('base64url')) ? deliveryId : null
}

function signDelivery(secretKey: string, accountId: string, deliveryId: string): Buffer {
  const mac = sign(secretKey, 'tracking-token', `${accountId}\n${deliveryId}`)
  return Buffer.from(mac, 'base64url').subarray(0, PROOF_BYTES)
}

/** Masks and unmasks: each proof has its own mask. */
function masked(secretKey: string, proof: Buffer, id: Buffer): Buffer {
  const mask = Buffer.from(sign(secretKey, 'tracking-mask', proof.toString('base64url')), 'base64url')
  return Buffer.from(id.map((byte, index) => byte ^ (mask[index] as number)))
}

/** The alphabet of ULIDs. The first character holds three bits, the other 25 hold five each. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const ID = /^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/

function bytesOfId(deliveryId: string): Buffer {
  if (!ID.test(deliveryId)) throw new Error(`${deliveryId} is not one of our delivery ids.`)
  const bytes = Buffer.alloc(ID_BYTES)
  let held = ALPHABET.indexOf(deliveryId[4] as string)
  let bits = 3
  let next = 0
  for (const character of deliveryId.slice(5)) {
    held = (held << 5) | ALPHABET.indexOf(character)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[next++] = held >> bits
    held &= (1 << bits) - 1
  }
  return bytes
}

function idOfBytes(bytes: Buffer): string {
  let id = ''
  let held = 0
  // Two bits more than the id has, so that the first character gets its three.
  let bits = 2
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      id += ALPHABET[held >> bits]
      held &= (1 << bits) - 1
    }
  }
  return `dlv_${id}`
}
