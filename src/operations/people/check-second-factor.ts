import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { type Issue, Refusal } from '../../domain/errors.ts'
import type { Db } from '../../store/db/db.ts'
import { clearAttempts, countAttempts } from '../../store/people/login-attempts.ts'
import {
  type FactorKey,
  findFactor,
  useFactorStep,
  useRecoveryCode,
} from '../../store/people/user-factors.ts'
import { findUser } from '../../store/people/users.ts'
import type { Deps } from '../deps.ts'
import { factorPlace } from '../secrets/seal.ts'
import { sameText } from '../secrets/sign.ts'
import { toAttemptKey } from './login-attempt-keys.ts'
import { hashesToCompare } from './password.ts'
import { refuseMistakes } from './user-access.ts'

/** RFC 6238 as all authenticator apps implement it: SHA-1, six digits, 30 seconds. */
const STEP_S = 30
export const TOTP_FORM = { issuer: 'Drover', algorithm: 'SHA1', digits: 6, period: STEP_S } as const
/** A phone's clock may be off by a step either way (RFC 6238, 5.2). */
const WINDOW = 1
/** Failed codes and passwords within 15 minutes; three codes are valid at a time. */
const WINDOW_MS = 15 * 60_000
const MAX_ATTEMPTS = 5

/** What a person types to show that it is them at this computer. */
export type Credentials = { password?: string | undefined; code?: string | undefined }

/**
 * Step-up authentication (ASVS 5, 7.5.1): the password and, for a person with a second factor, a code. A stolen session
 * or an unattended computer has neither. Refuses `invalid_request` without a password, `second_factor_required`,
 * `invalid_credentials`, `invalid_second_factor` and `rate_limited`.
 */
export async function confirmIdentity(
  deps: Deps,
  person: FactorKey & { hasFactor: boolean },
  { password, code }: Credentials,
): Promise<void> {
  if (password === undefined) refuseMistakes([PASSWORD_NEEDED])
  if (person.hasFactor && code === undefined) throw codeRequired()
  // One count for both: a right password must not give back the tries that wrong codes have used.
  await countFactorAttempt(deps, person)
  await comparePassword(deps, person, password as string)
  if (person.hasFactor && !(await isRightCode(deps, person, code as string))) throw wrongCode()
  await clearAttempts(deps.db, toFactorAttemptKey(person))
}

const PASSWORD_NEEDED: Issue = {
  field: 'password',
  issue: 'required',
  message: 'Type your own password again. We ask because this gives somebody access to the account.',
}

export function codeRequired(): Refusal {
  return new Refusal(
    'second_factor_required',
    'Type the six digits that your authenticator app shows, or a recovery code.',
  )
}

/** Checks a code of the app or a recovery code; each works once. Refuses `invalid_second_factor` and `rate_limited`. */
export async function checkSecondFactor(
  deps: Pick<Deps, 'db' | 'sealer'>,
  key: FactorKey,
  typed: string,
  device: string | null = null,
): Promise<void> {
  await countFactorAttempt(deps, key, device)
  if (!(await isRightCode(deps, key, typed))) throw wrongCode()
  await clearAttempts(deps.db, toFactorAttemptKey(key, device))
}

/** The time step of a code; null if the code is not valid now. */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const totp = new TOTP({ ...TOTP_FORM, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW })
  return delta === null ? null : Math.floor(nowMs / 1_000 / STEP_S) + delta
}

/** The stored hash of a recovery code, however it is typed; null: the text is not a recovery code. */
export function recoveryCodeHash(typed: string): Buffer | null {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return plain.length === 16 ? createHash('sha256').update(plain).digest() : null
}

async function isRightCode(
  { db, sealer }: Pick<Deps, 'db' | 'sealer'>,
  key: FactorKey,
  typed: string,
): Promise<boolean> {
  const hash = recoveryCodeHash(typed)
  if (hash) return useRecoveryCode(db, key, hash)
  const factor = await findFactor(db, key)
  // If the encryption key was lost, the app's secret cannot be read; recovery codes and a reset still work.
  if (!factor?.isConfirmed || !sealer.knows(factor.secret)) return false
  const step = totpStep(sealer.open(factor.secret, factorPlace(key)), typed.replaceAll(' ', ''), Date.now())
  return step !== null && useFactorStep(db, key, step)
}

async function comparePassword(deps: Deps, person: FactorKey, password: string): Promise<void> {
  const user = await findUser(deps.db, person.accountId, person.userId)
  const [hash = ''] = user ? await hashesToCompare(deps, [user], password) : []
  if (!user?.passwordHash || !sameText(user.passwordHash, hash)) {
    throw new Refusal('invalid_credentials', 'The password is wrong.')
  }
}

/** Counted before any comparison. A device of an earlier success has its own counter. */
export async function countFactorAttempt(
  { db }: { db: Db },
  key: FactorKey,
  device: string | null = null,
): Promise<void> {
  const [counted] = await countAttempts(db, [toFactorAttemptKey(key, device)], WINDOW_MS)
  if (!counted || counted.attempts <= MAX_ATTEMPTS) return
  throw new Refusal(
    'rate_limited',
    `Too many attempts. Try again in ${counted.seconds <= 60 ? 'a minute' : `${Math.ceil(counted.seconds / 60)} minutes`}.`,
    {
      details: { retry_after_seconds: counted.seconds },
    },
  )
}

export function toFactorAttemptKey({ accountId, userId }: FactorKey, device: string | null = null): Buffer {
  return toAttemptKey('second-factor', `${accountId}\n${userId}\n${device ?? ''}`)
}

export function wrongCode(): Refusal {
  return new Refusal(
    'invalid_second_factor',
    'The code is wrong or has been used before. Wait for the next code, or use a recovery code.',
  )
}
