import { createHash, randomBytes } from 'node:crypto'
import type { UserRow } from '../../store/people/users.ts'
import { isSignedBy, sign } from '../secrets/sign.ts'

/**
 * Device cookies (OWASP): a browser that a person has logged in with holds a proof of it, and has its own counter of
 * wrong tries. An attacker who guesses from elsewhere does not lock that person out.
 */
const DEVICE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

type Owner = Pick<UserRow, 'accountId' | 'userId' | 'passwordHash'>

/** A new proof, kept in a cookie. A new password makes it void. */
export function newDeviceProof(secretKey: string, user: Owner): string {
  const id = randomBytes(16).toString('base64url')
  return `${id}.${sign(secretKey, 'known-device', textOf(user, id))}`
}

/** The device's id, where the proof is this user's; null where it is none. */
export function deviceOf(secretKey: string, user: Owner, proof: string | null): string | null {
  const [, id = '', signature = ''] = DEVICE.exec(proof ?? '') ?? []
  return id !== '' && isSignedBy(secretKey, 'known-device', textOf(user, id), signature) ? id : null
}

function textOf({ accountId, userId, passwordHash }: Owner, id: string): string {
  const password = createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
  return [accountId, userId, password, id].join('\n')
}
