import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** RFC 6238 as all authenticator apps implement it: SHA-1, six digits, 30 seconds. */
const STEP_S = 30
const FORM = { issuer: 'Drover', algorithm: 'SHA1', digits: 6, period: STEP_S } as const
/** A phone's clock may be off by a step either way (RFC 6238, 5.2). */
const WINDOW = 1
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10
/** Crockford's base 32: no I, L, O or U, which are easily misread. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new secret of 160 bits, in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The `otpauth` URL for the QR code that an authenticator app scans. */
export function totpAddress(secret: string, email: string): string {
  return new TOTP({ ...FORM, label: email, secret: Secret.fromBase32(secret) }).toString()
}

/** The time step of a code; null if the code is not valid now. */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW })
  return delta === null ? null : Math.floor(nowMs / 1_000 / STEP_S) + delta
}

/** Recovery codes for a lost app, each of 80 bits: `7K2M-9QXR-…`. Shown once; only their hashes are stored. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    let bits = BigInt(`0x${randomBytes(RECOVERY_BYTES).toString('hex')}`)
    let text = ''
    for (let n = 0; n < 16; n++, bits >>= 5n) text += LETTERS[Number(bits & 31n)]
    return text.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** The stored hash of a recovery code, however it is typed; null: the text is not a recovery code. */
export function recoveryCodeHash(typed: string): Buffer | null {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return plain.length === 16 ? createHash('sha256').update(plain).digest() : null
}
