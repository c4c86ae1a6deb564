import { createHash, randomBytes } from 'node:crypto'
import { sign } from '../secrets/sign.ts'

/** The id of a message to a driver, from which its secret is derived. Sorts by time, like all message ids. */
export function driverMessageId(eventId: string): string {
  return `msg_${eventId.slice(4)}_sms`
}

/**
 * Capability URL: the token of the link that offers a job. 256 bits that cannot be guessed without our key; never
 * stored.
 */
export function jobToken(secretKey: string, accountId: string, messageId: string): string {
  return sign(secretKey, 'driver-job', `${accountId}\n${messageId}`)
}

/** The six-digit login code, derived from the id of the message that contains it, so it is not stored either. */
export function driverCode(secretKey: string, accountId: string, messageId: string): string {
  const mac = Buffer.from(sign(secretKey, 'driver-code', `${accountId}\n${messageId}`), 'base64url')
  // 48 bits modulo a million: no code is more likely than another by more than one in 10^8.
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

/** The four-digit PIN that the customer may give the driver on delivery. */
export function deliveryPin(secretKey: string, accountId: string, deliveryId: string): string {
  const mac = Buffer.from(sign(secretKey, 'delivery-pin', `${accountId}\n${deliveryId}`), 'base64url')
  return String(mac.readUIntBE(0, 6) % 10_000).padStart(4, '0')
}

/** A session token names the accounts it is valid for, so that we look it up under them; its secret has 256 bits. */
export function newSessionToken(accountIds: readonly string[]): string {
  return `${accountIds.join('~')}.${randomBytes(32).toString('base64url')}`
}

/** Up to ten account ids of 63 characters, joined by `~`. */
const TOKEN = /^([a-z0-9][a-z0-9~_-]{0,700})\.[A-Za-z0-9_-]{43}$/

/** The accounts that a token names; null if it is not a token. */
export function accountsOfToken(token: string): string[] | null {
  const names = TOKEN.exec(token)?.[1]
  return names === undefined ? null : names.split('~')
}

/** The stored hash of a token. Long random input needs no salt and no slow hash. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
