import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { Refusal } from '../../domain/errors.ts'
import { INSTALLATION, type User } from '../../domain/people/user.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { countTries, forgetTries } from '../../store/people/login-tries.ts'
import {
  beginFactor,
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  type FactorKey,
  findFactor,
  useFactorStep,
  useRecoveryCode,
} from '../../store/people/user-factors.ts'
import { endSessionsOf, findUser } from '../../store/people/users.ts'
import type { WriteAudit } from '../context/audit.ts'
import type { Deps } from '../context/deps.ts'
import { factorPlace } from '../secrets/seal.ts'
import { sameText } from '../secrets/sign.ts'
import { type Person, userTokenHash } from '../tokens/user-token.ts'
import { nameOf } from './login-attempt-keys.ts'
import { hashesToCompare } from './password.ts'

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
function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The `otpauth` URL for the QR code that an authenticator app scans. */
function totpAddress(secret: string, email: string): string {
  return new TOTP({ ...FORM, label: email, secret: Secret.fromBase32(secret) }).toString()
}

/** The time step of a code; null if the code is not valid now. */
function totpStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW })
  return delta === null ? null : Math.floor(nowMs / 1_000 / STEP_S) + delta
}

/** Recovery codes for a lost app, each of 80 bits: `7K2M-9QXR-…`. Shown once; only their hashes are stored. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    let bits = BigInt(`0x${randomBytes(RECOVERY_BYTES).toString('hex')}`)
    let text = ''
    for (let n = 0; n < 16; n++, bits >>= 5n) text += LETTERS[Number(bits & 31n)]
    return text.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** The stored hash of a recovery code, however it is typed; null: the text is not a recovery code. */
function recoveryCodeHash(typed: string): Buffer | null {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return plain.length === 16 ? createHash('sha256').update(plain).digest() : null
}

/** Failed codes and passwords within 15 minutes; three codes are valid at a time. */
const WINDOW_MS = 15 * 60_000
const MOST_TRIES = 5

export type Enrolment = { secret: string; address: string }

/** A person's second factor. `isRequired`: without one they can only enrol. */
export type FactorState = { isActive: boolean; isRequired: boolean; recoveryCodesLeft: number }

/** Whether the person must have a second factor: operators in live mode, others as their account requires. */
export function requiresFactor(
  { accounts, live }: Pick<Deps, 'accounts' | 'live'>,
  { accountId, role }: Pick<User, 'accountId' | 'role'>,
): boolean {
  if (accountId === INSTALLATION) return live
  const wanted = accounts.find(accountId)?.account.people.secondFactor ?? 'optional'
  return wanted === 'everybody' || (wanted === 'admins' && role === 'merchant_admin')
}

export async function factorState(
  deps: Pick<Deps, 'db' | 'accounts' | 'live'>,
  user: User,
): Promise<FactorState> {
  const isActive = user.hasFactor
  const recoveryCodesLeft = isActive ? await countRecoveryCodes(deps.db, user) : 0
  return { isActive, isRequired: requiresFactor(deps, user), recoveryCodesLeft }
}

/**
 * Begins an enrolment; codes are not required until it is confirmed. Refuses `wrong_login` and `second_factor_active`.
 */
export async function beginSecondFactor(deps: Deps, person: Person, password: string): Promise<Enrolment> {
  await requirePassword(deps, person, password)
  const secret = newTotpSecret()
  if (!(await beginFactor(deps.db, person, deps.sealer.seal(secret, factorPlace(person)))))
    throw alreadyActive()
  return { secret, address: totpAddress(secret, person.email) }
}

/**
 * Confirms the enrolment with a code of the app; returns the recovery codes, which are shown only once. All other
 * sessions of the user end. Refuses `wrong_second_factor` and `second_factor_active`.
 */
export async function confirmSecondFactor(
  deps: Deps,
  person: Person,
  { code, token }: { code: string; token: string },
  record: WriteAudit,
): Promise<string[]> {
  await countFactorTry(deps, person)
  const factor = await findFactor(deps.db, person)
  if (!factor) throw wrongCode()
  if (factor.isConfirmed) throw alreadyActive()
  const step = totpStep(
    deps.sealer.open(factor.secret, factorPlace(person)),
    code.replaceAll(' ', ''),
    Date.now(),
  )
  if (step === null) throw wrongCode()
  const codes = newRecoveryCodes()
  const codeHashes = codes.map((one) => recoveryCodeHash(one) as Buffer)
  await withTransaction(deps.db, async (db) => {
    const how = { nonce: factor.secret.nonce, step, codeHashes, tokenHash: userTokenHash(token) }
    if (!(await confirmFactor(db, person, how))) throw wrongCode()
    await record(db, { accountId: person.accountId, object: person.userId, after: { second_factor: true } })
  })
  await forgetTries(deps.db, triesOf(person))
  return codes
}

/** Disables the person's own second factor. Refuses `wrong_login` and `wrong_second_factor`. */
export async function disableSecondFactor(
  deps: Deps,
  person: Person,
  { password, code }: { password: string; code: string },
  record: WriteAudit,
): Promise<void> {
  // One count for both: a right password must not give back the tries that wrong codes have used.
  await countFactorTry(deps, person)
  await comparePassword(deps, person, password)
  if (!(await isRightCode(deps, person, code))) throw wrongCode()
  await forgetTries(deps.db, triesOf(person))
  await withTransaction(deps.db, async (db) => {
    await deleteFactor(db, person)
    await record(db, trace(person))
  })
}

/**
 * Resets the second factor of a user who has lost it, and ends their sessions. Refuses `not_found`, and `own_access`
 * for one's own: `by` is the user or client that makes the request.
 */
export async function resetSecondFactor(
  deps: { db: Deps['db'] },
  key: FactorKey,
  by: string,
  record: WriteAudit,
): Promise<User> {
  if (key.userId === by) {
    throw new Refusal('own_access', 'Turn off your own second factor with your password and a code.')
  }
  return withTransaction(deps.db, async (db) => {
    const user = await findUser(db, key.accountId, key.userId)
    if (!user) throw new Refusal('not_found', `There is no user ${key.userId}.`)
    const isGone = await deleteFactor(db, key)
    if (isGone) await endSessionsOf(db, key.accountId, key.userId)
    await record(db, isGone ? trace(key) : null)
    const { passwordHash: _, ...rest } = user
    return { ...rest, hasFactor: false }
  })
}

/** Checks a code of the app or a recovery code; each works once. Refuses `wrong_second_factor` and `rate_limited`. */
export async function checkSecondFactor(
  deps: Pick<Deps, 'db' | 'sealer'>,
  key: FactorKey,
  typed: string,
  device: string | null = null,
): Promise<void> {
  await countFactorTry(deps, key, device)
  if (!(await isRightCode(deps, key, typed))) throw wrongCode()
  await forgetTries(deps.db, triesOf(key, device))
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

/** A person at an unattended computer must not change how its owner logs in. */
async function requirePassword(deps: Deps, person: Person, password: string): Promise<void> {
  await countFactorTry(deps, person)
  await comparePassword(deps, person, password)
  await forgetTries(deps.db, triesOf(person))
}

async function comparePassword(deps: Deps, person: Person, password: string): Promise<void> {
  const user = await findUser(deps.db, person.accountId, person.userId)
  const [hash = ''] = user ? await hashesToCompare(deps, [user], password) : []
  if (!user?.passwordHash || !sameText(user.passwordHash, hash)) {
    throw new Refusal('wrong_login', 'The password is wrong.')
  }
}

/** Counted before any comparison. A device of an earlier success has its own counter. */
async function countFactorTry(
  { db }: { db: Db },
  key: FactorKey,
  device: string | null = null,
): Promise<void> {
  const [counted] = await countTries(db, [triesOf(key, device)], WINDOW_MS)
  if (!counted || counted.tries <= MOST_TRIES) return
  throw new Refusal(
    'rate_limited',
    `Too many tries. Try again in ${Math.ceil(counted.seconds / 60)} minutes.`,
    {
      details: { retry_after_seconds: counted.seconds },
    },
  )
}

function triesOf({ accountId, userId }: FactorKey, device: string | null = null): Buffer {
  return nameOf('second-factor', `${accountId}\n${userId}\n${device ?? ''}`)
}

function trace({ accountId, userId }: FactorKey) {
  return { accountId, object: userId, after: { second_factor: false } }
}

function wrongCode(): Refusal {
  return new Refusal(
    'wrong_second_factor',
    'The code is wrong or was used before. Wait for the next one, or use a recovery code.',
  )
}

function alreadyActive(): Refusal {
  return new Refusal(
    'second_factor_active',
    'You already have an authenticator app. Turn it off before you set up another.',
  )
}
