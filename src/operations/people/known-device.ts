import { createHash, randomBytes } from 'node:crypto'
import type { UserRow } from '../../store/people/users.ts'
import { isSignedBy, sign } from '../secrets/sign.ts'

/**
 * Device cookies (OWASP): a browser in which a person has logged in holds a proof of that, and has its own counter of
 * failed attempts. So an attacker who guesses from other devices does not lock that person out.
 */
const DEVICE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

type Owner = Pick<UserRow, 'accountId' | 'userId' | 'passwordHash'>

/** A new proof, stored in a cookie. A new password invalidates it. */
export function newDeviceProof(secretKey: string, user: Owner): string {
  const id = randomBytes(16).toString('base64url')
  return `${id}.${sign(secretKey, 'known-device', toSignedText(user, id))}`
}

/** The device's id, if the proof is this user's; otherwise null. */
export function findDevice(secretKey: string, user: Owner, proof: string | null): string | null {
  const [, id = '', signature = ''] = DEVICE.exec(proof ?? '') ?? []
  return id !== '' && isSignedBy(secretKey, 'known-device', toSignedText(user, id), signature) ? id : null
}

function toSignedText({ accountId, userId, passwordHash }: Owner, id: string): string {
  const password = createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
  return [accountId, userId, password, id].join('\n')
}
