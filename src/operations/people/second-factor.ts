import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { Refusal } from '../../domain/errors.ts'
import { INSTALLATION, type User } from '../../domain/people/user.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { clearAttempts } from '../../store/people/login-attempts.ts'
import {
  beginFactor,
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  type FactorKey,
  findFactor,
} from '../../store/people/user-factors.ts'
import { deletePasskeys } from '../../store/people/user-passkeys.ts'
import { endOtherSessions } from '../../store/people/user-sessions.ts'
import { endUserSessions, findUser, lockUser } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { factorPlace } from '../secrets/seal.ts'
import { type Person, userTokenHash } from '../tokens/user-token.ts'
import {
  confirmIdentity,
  countFactorAttempt,
  recoveryCodeHash,
  TOTP_FORM,
  toFactorAttemptKey,
  totpStep,
  wrongCode,
} from './check-second-factor.ts'

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
  return new TOTP({ ...TOTP_FORM, label: email, secret: Secret.fromBase32(secret) }).toString()
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

export type Enrolment = { secret: string; address: string }

/** A person's second factor. `isRequired`: without one they can only enrol. */
export type FactorState = { isActive: boolean; isRequired: boolean; recoveryCodesLeft: number }

/** Whether the person must have a second factor: operators in live mode, others as their account requires. */
export async function requiresFactor(
  { accounts, live }: Pick<Deps, 'accounts' | 'live'>,
  { accountId, role }: Pick<User, 'accountId' | 'role'>,
): Promise<boolean> {
  if (accountId === INSTALLATION) return live
  const wanted = (await accounts.find(accountId))?.account.people.secondFactor ?? 'optional'
  return wanted === 'everybody' || (wanted === 'admins' && role === 'merchant_admin')
}

export async function factorState(
  deps: Pick<Deps, 'db' | 'accounts' | 'live'>,
  user: User,
): Promise<FactorState> {
  const isActive = user.hasFactor
  const recoveryCodesLeft = isActive ? await countRecoveryCodes(deps.db, user) : 0
  return { isActive, isRequired: await requiresFactor(deps, user), recoveryCodesLeft }
}

/**
 * A password alone must not set up another way in beside the passkey of a person who needs more than a password. Refuses
 * `passkey_required`.
 */
export async function refuseWithoutPasskey(
  deps: Pick<Deps, 'accounts' | 'live'>,
  user: Pick<User, 'accountId' | 'role' | 'hasFactor' | 'passkeys'> & { bySecondFactor: boolean },
): Promise<void> {
  const isEnough = user.bySecondFactor || user.hasFactor || user.passkeys === 0
  if (isEnough || !(await requiresFactor(deps, user))) return
  throw new Refusal('passkey_required', 'Your account needs more than a password. Log in with your passkey.')
}

/**
 * Begins an enrolment; codes are not required until it is confirmed. Refuses `passkey_required`, `invalid_credentials`
 * and `second_factor_active`.
 */
export async function beginSecondFactor(deps: Deps, person: Person, password: string): Promise<Enrolment> {
  await refuseWithoutPasskey(deps, person)
  // Checked before the password: a correct password would reset the count of wrong codes.
  if (person.hasFactor) throw alreadyActive()
  // Somebody at an unattended computer must not change how its owner logs in.
  await confirmIdentity(deps, { ...person, hasFactor: false }, { password })
  const secret = newTotpSecret()
  if (!(await beginFactor(deps.db, person, deps.sealer.seal(secret, factorPlace(person)))))
    throw alreadyActive()
  return { secret, address: totpAddress(secret, person.email) }
}

/**
 * Confirms the enrolment with a code of the app; returns the recovery codes, which are shown only once. All other
 * sessions of the user end. Refuses `invalid_second_factor` and `second_factor_active`.
 */
export async function confirmSecondFactor(
  deps: Deps,
  person: Person,
  { code, token }: { code: string; token: string },
  record: WriteAudit,
): Promise<string[]> {
  await countFactorAttempt(deps, person)
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
  await clearAttempts(deps.db, toFactorAttemptKey(person))
  return codes
}

/**
 * Disables the person's own second factor and ends their other sessions: one of them may be a thief's. Refuses
 * `invalid_credentials` and `invalid_second_factor`.
 */
export async function disableSecondFactor(
  deps: Deps,
  person: Person,
  { password, code, token }: { password: string; code: string; token: string },
  record: WriteAudit,
): Promise<void> {
  // Without a factor, a code is wrong: `hasFactor` is what the code is checked for.
  await confirmIdentity(deps, { ...person, hasFactor: true }, { password, code })
  await withTransaction(deps.db, async (db) => {
    await deleteFactor(db, person)
    await endOtherSessions(db, person, userTokenHash(token))
    await record(db, trace(person))
  })
}

/**
 * Removes the authenticator app and the passkeys of a user who has lost them, and ends their sessions. Refuses `not_found`, and `own_access_change`
 * for one's own: `by` is the user or client that makes the request.
 */
export async function resetSecondFactor(
  deps: { db: Deps['db'] },
  key: FactorKey,
  by: string,
  record: WriteAudit,
): Promise<User> {
  if (key.userId === by) {
    throw new Refusal(
      'own_access_change',
      'To turn off your own second factor, go to Your account and enter your password and a code.',
    )
  }
  return withTransaction(deps.db, async (db) => {
    await lockUser(db, key.accountId, key.userId)
    const user = await findUser(db, key.accountId, key.userId)
    if (!user) throw new Refusal('not_found', `There is no user ${key.userId}.`)
    const hadFactor = await deleteFactor(db, key)
    const isGone = (await deletePasskeys(db, key)) > 0 || hadFactor
    if (isGone) await endUserSessions(db, key.accountId, key.userId)
    await record(db, isGone ? trace(key) : null)
    const { passwordHash: _, ...rest } = user
    return { ...rest, hasFactor: false, passkeys: 0 }
  })
}

function trace({ accountId, userId }: FactorKey) {
  return { accountId, object: userId, after: { second_factor: false } }
}

function alreadyActive(): Refusal {
  return new Refusal(
    'second_factor_active',
    'You already have an authenticator app. Turn it off before you set up another.',
  )
}
