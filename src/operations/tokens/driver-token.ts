import { createHash, randomBytes } from 'node:crypto'
import { sign } from '../secrets/sign.ts'

/** The name of a message that a driver gets; its secret is made of it. Sorts by time, as all messages do. */
export function driverMessageId(eventId: string): string {
  return `msg_${eventId.slice(4)}_sms`
}

/** The token of the link that offers a job: 256 bits that nobody without our key can tell, stored nowhere. */
export function jobToken(secretKey: string, accountId: string, messageId: string): string {
  return sign(secretKey, 'driver-job', `${accountId}\n${messageId}`)
}

/** The six digits of a log-in, made of the message that carries them: not stored either. */
export function driverCode(secretKey: string, accountId: string, messageId: string): string {
  const mac = Buffer.from(sign(secretKey, 'driver-code', `${accountId}\n${messageId}`), 'base64url')
  // 48 bits over a million: no code is likelier than another by more than one in 10^8.
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

/** The four digits that the customer may tell the driver at the door. */
export function deliveryPin(secretKey: string, accountId: string, deliveryId: string): string {
  const mac = Buffer.from(sign(secretKey, 'delivery-pin', `${accountId}\n${deliveryId}`), 'base64url')
  return String(mac.readUIntBE(0, 6) % 10_000).padStart(4, '0')
}

/** A session's token names the accounts it holds for, so that it is looked up under them; 256 bits are the secret. */
export function newSessionToken(accountIds: readonly string[]): string {
  return `${accountIds.join('~')}.${randomBytes(32).toString('base64url')}`
}

const TOKEN = /^([a-z0-9][a-z0-9~_-]{0,400})\.[A-Za-z0-9_-]{43}$/

/** The accounts that a token says it is for; null when it is no token. */
export function accountsOfToken(token: string): string[] | null {
  const names = TOKEN.exec(token)?.[1]
  return names === undefined ? null : names.split('~')
}

/** What is stored of a token. Long random input needs no salt and no slow hash. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
