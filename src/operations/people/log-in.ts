import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../domain/errors.ts'
import { refundedAttempts } from '../../domain/people/refunded-attempts.ts'
import { emailKey, type FailedLogins, INSTALLATION, type User } from '../../domain/people/user.ts'
import { withTransaction } from '../../store/db/pool.ts'
import {
  clearAttempts,
  countAttempts,
  recordFailedLogin,
  refundAttempts,
  takeTurn,
} from '../../store/people/login-attempts.ts'
import { insertSession } from '../../store/people/user-sessions.ts'
import type { UserRow } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { isDemoPassword } from '../secrets/demo-clients.ts'
import { sameText } from '../secrets/sign.ts'
import { newUserSessionToken, userTokenHash } from '../tokens/user-token.ts'
import { browserName } from './browser-name.ts'
import { checkSecondFactor, codeRequired } from './check-second-factor.ts'
import { findDevice, newDeviceProof } from './known-device.ts'
import { toAttemptKey } from './login-attempt-keys.ts'
import { hashesToCompare, listEverywhere } from './password.ts'
import { refuseWithoutPasskey } from './second-factor.ts'
import { SESSION_LIFE_MS } from './user-session.ts'

/**
 * Rate limit of logins: failed attempts within 15 minutes, across all processes. For an email address per IP address
 * or known device, and for an IP address, which many people may share.
 */
export const WINDOW_MS = 15 * 60_000
const MAX_OF_EMAIL = 5
export const MAX_OF_ADDRESS = 50
/**
 * Over all unknown devices together, logins for an email address are slowed and not locked, so that an attacker cannot
 * lock the owner out.
 */
const FREE_OF_ALL = 10
const TURN_GAP_MS = 2_000
const MAX_TURN_MS = 10_000

export type LogIn = {
  email: string
  password: string
  /** Which account, if the email address is in several. */
  accountId: string | null
  /** The rate-limit key of the client's IP address. */
  network: string
  ip: string
  /** The browser's `User-Agent`; null if it sends none. */
  userAgent: string | null
  /** From an authenticator app, or a recovery code; null: no code was entered. */
  code: string | null
  /** This browser's proof of an earlier login of this user. */
  proofOf(userId: string): string | null
}

/**
 * Opens a session with a new token. Refuses `rate_limited`; `invalid_credentials` with the same message for every cause;
 * `account_required` if the password is correct in several accounts; `second_factor_required` and `invalid_second_factor`
 * if the password is correct; `passkey_required` if the password alone is not enough. `proof` is for the browser to store.
 */
export async function logIn(
  deps: Deps,
  { email: typed, password, accountId, network, code, proofOf, ip, userAgent }: LogIn,
  record: WriteAudit,
): Promise<{ token: string; proof: string; user: User; failedBefore: FailedLogins }> {
  const email = emailKey(typed)
  const known = await listEverywhere(deps, email)
  const users = known.filter(mayLogIn)
  const asked = users.filter((user) => accountId === null || user.accountId === accountId)
  const [only] = asked
  // A proof is for one user: a person who knows the password of one must not use it to guess that of another with the
  // same address.
  const device = only && asked.length === 1 ? findDevice(deps.secretKey, only, proofOf(only.userId)) : null
  const all = toAttemptKey('log-in-all', email)
  const names = toAttemptKeys(email, network, device)
  await countLogIn(deps, names, device ? null : { all, turn: toAttemptKey('log-in-turn', email) })
  const hashes = await hashesToCompare(deps, known, password)
  const right = asked.filter(isRight(deps, hashes, password))
  const refunded = refundedAttempts({ users: users.length, checked: asked.length, right: right.length })
  const [one, ...others] = right
  const asksCode = one?.hasFactor === true && others.length === 0
  // A correct password is not a failed attempt; all attempts are forgiven once the code is correct too.
  if (refunded) await refundAttempts(deps.db, names, asksCode ? 'own' : refunded)
  const noteFailure = (of: readonly UserRow[]) =>
    recordFailedLogin(deps.db, { accountIds: of.map((user) => user.accountId), email }, names[0])
  if (!one) await noteFailure(asked)
  const user = await choose(deps, right)
  if (user.hasFactor) {
    if (code === null) throw codeRequired()
    await checkSecondFactor(deps, user, code, device).catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'invalid_second_factor') {
        await noteFailure([user])
      }
      throw error
    })
    if (refunded) await refundAttempts(deps.db, names, refunded)
  }
  await refuseWithoutPasskey(deps, { ...user, bySecondFactor: user.hasFactor })
  if (refunded === 'all' && !device) await clearAttempts(deps.db, all)

  const token = newUserSessionToken(user.accountId)
  const browser = await browserName(userAgent)
  const failedBefore = await withTransaction(deps.db, async (db) => {
    const failed = await insertSession(db, user, {
      sessionId: deps.newId('ses'),
      tokenHash: userTokenHash(token),
      lifeMs: SESSION_LIFE_MS,
      bySecondFactor: user.hasFactor,
      browser,
      ip,
    })
    if (!failed) throw wrongLogin()
    await record(db, {
      accountId: user.accountId,
      object: user.userId,
      by: { kind: 'user', actor: user.userId },
    })
    return failed
  })
  return { token, proof: newDeviceProof(deps.secretKey, user), user, failedBefore }
}

/** Which failed attempts count together: those of one known browser, or for an email address from one IP address. */
function toAttemptKeys(email: string, network: string, device: string | null): readonly [Buffer, Buffer] {
  if (device !== null) return [toAttemptKey('device', device), toAttemptKey('address', `of device ${device}`)]
  return [toAttemptKey('log-in', `${email}\n${network}`), toAttemptKey('address', network)]
}

/** Counts an attempt before the comparison. From unknown devices together, attempts beyond a few wait their turn. */
async function countLogIn(
  { db }: Pick<Deps, 'db'>,
  names: readonly [Buffer, Buffer],
  unknown: { all: Buffer; turn: Buffer } | null,
): Promise<void> {
  const counted = await countAttempts(db, unknown ? [...names, unknown.all] : names, WINDOW_MS)
  refuseBeyond(counted)
  const ofAll = counted[2]
  if (!unknown || !ofAll || ofAll.attempts <= FREE_OF_ALL) return
  const { waitMs, isTaken } = await takeTurn(db, unknown.turn, { gapMs: TURN_GAP_MS, maxMs: MAX_TURN_MS })
  if (!isTaken) throw tooManyTries(Math.ceil(waitMs / 1_000))
  await sleep(waitMs)
}

/** Counted before any lookup, whether or not a user has the address. */
export async function countOrRefuse(
  { db }: Pick<Deps, 'db'>,
  names: readonly [email: Buffer, address: Buffer],
): Promise<void> {
  refuseBeyond(await countAttempts(db, names, WINDOW_MS))
}

/**
 * Counts an attempt for the IP address alone: for logins in which nothing can be guessed, so that one person's mistakes
 * don't lock out the others behind the address. `refund` is for a good one. Refuses `rate_limited`.
 */
export async function countByNetwork(
  { db }: Pick<Deps, 'db'>,
  network: string,
): Promise<{ refund(): Promise<void> }> {
  const address = toAttemptKey('address', network)
  const [counted] = await countAttempts(db, [address], WINDOW_MS)
  if (counted) refuseBeyond([{ attempts: 0, seconds: 0 }, counted])
  return { refund: () => refundAttempts(db, [address, address], 'own') }
}

function refuseBeyond([email, address]: readonly { attempts: number; seconds: number }[]): void {
  const over = [
    email && email.attempts > MAX_OF_EMAIL ? email.seconds : 0,
    address && address.attempts > MAX_OF_ADDRESS ? address.seconds : 0,
  ]
  const seconds = Math.max(...over)
  if (seconds > 0) throw tooManyTries(seconds)
}

function tooManyTries(seconds: number): Refusal {
  const minutes = Math.ceil(seconds / 60)
  const when =
    seconds === 1
      ? 'a second'
      : seconds < 60
        ? `${seconds} seconds`
        : minutes === 1
          ? 'a minute'
          : `${minutes} minutes`
  return new Refusal('rate_limited', `Too many attempts. Try again in ${when}.`, {
    details: { retry_after_seconds: seconds },
  })
}

export function mayLogIn({ status, passwordHash }: UserRow): boolean {
  return status === 'active' && passwordHash !== null
}

/**
 * A publicly known (demo) password never works in an account that serves real merchants, nor in an installation that
 * has or will have such an account.
 */
function isRight(deps: Deps, hashes: readonly string[], password: string): (user: UserRow) => boolean {
  const isLive = (accountId: string): boolean =>
    accountId === INSTALLATION
      ? deps.accounts.list().some(({ mode }) => mode === 'live')
      : deps.accounts.head(accountId)?.mode === 'live'
  return ({ passwordHash, accountId }) =>
    passwordHash !== null &&
    hashes.some((hash) => sameText(passwordHash, hash)) &&
    !(isDemoPassword(password) && (deps.live || isLive(accountId)))
}

async function choose(deps: Deps, [only, ...others]: readonly UserRow[]): Promise<UserRow> {
  if (!only) throw wrongLogin()
  if (others.length === 0) return only
  const accounts: { tenant_id: string; name: string }[] = []
  for (const { accountId } of [only, ...others]) {
    const entry = await deps.accounts.find(accountId)
    accounts.push({ tenant_id: accountId, name: entry?.account.name ?? 'All accounts' })
  }
  throw new Refusal('account_required', 'You can log in to several accounts. Send tenant_id to choose one.', {
    details: { accounts },
  })
}

function wrongLogin(): Refusal {
  return new Refusal('invalid_credentials', 'The email address or the password is wrong.')
}
