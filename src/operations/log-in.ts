import { createHash } from 'node:crypto'
import { Refusal } from '../domain/errors.ts'
import { forgivenTries } from '../domain/people/forgiven-tries.ts'
import { emailKey, INSTALLATION, type User } from '../domain/people/user.ts'
import { countTries, forgiveTries } from '../store/login-tries.ts'
import { withTransaction } from '../store/pool.ts'
import { insertSession } from '../store/user-sessions.ts'
import type { UserRow } from '../store/users.ts'
import type { Record } from './audit.ts'
import { isDemoPassword } from './demo-clients.ts'
import type { Deps } from './deps.ts'
import { hashesToCompare, listEverywhere } from './password.ts'
import { sameText } from './sign.ts'
import { SESSION_LIFE_MS } from './user-session.ts'
import { newUserSessionToken, userTokenHash } from './user-token.ts'

/** Wrong tries within a quarter of an hour, for all processes together. Many people may share an address. */
const WINDOW_MS = 15 * 60_000
const MOST_OF_EMAIL = 5
const MOST_OF_ADDRESS = 50

export type LogIn = {
  email: string
  password: string
  /** Which account, where the address is in several. */
  accountId: string | null
  /** The address on the net, or as much of it as is one caller's. */
  network: string
}

/**
 * Opens a session, with a token that was never seen before. Refuses `rate_limited`; `wrong_login` with the same words
 * whatever was wrong; `choose_account` when the password is right in several accounts.
 */
export async function logIn(
  deps: Deps,
  { email: typed, password, accountId, network }: LogIn,
  record: Record,
): Promise<{ token: string; user: User }> {
  const email = emailKey(typed)
  const names = [nameOf('log-in', email), nameOf('address', network)] as const
  await countOrRefuse(deps, names)
  const known = await listEverywhere(deps, email)
  const hashes = await hashesToCompare(deps, known, password)
  const users = known.filter(mayLogIn)
  const asked = users.filter((user) => accountId === null || user.accountId === accountId)
  const right = asked.filter(isRight(deps, hashes, password))
  const forgiven = forgivenTries({ users: users.length, asked: asked.length, right: right.length })
  if (forgiven) await forgiveTries(deps.db, names, forgiven)
  const user = choose(deps, right)

  const token = newUserSessionToken(user.accountId)
  await withTransaction(deps.db, async (db) => {
    const session = { tokenHash: userTokenHash(token), lifeMs: SESSION_LIFE_MS }
    if (!(await insertSession(db, user, session))) throw wrongLogin()
    await record(db, {
      accountId: user.accountId,
      object: user.userId,
      by: { kind: 'user', actor: user.userId },
    })
  })
  return { token, user }
}

/** Counted before anything is looked up, whether or not anybody has the address. */
export async function countOrRefuse(
  { db }: Pick<Deps, 'db'>,
  names: readonly [email: Buffer, address: Buffer],
): Promise<void> {
  const [email, address] = await countTries(db, names, WINDOW_MS)
  const over = [
    email && email.tries > MOST_OF_EMAIL ? email.seconds : 0,
    address && address.tries > MOST_OF_ADDRESS ? address.seconds : 0,
  ]
  const seconds = Math.max(...over)
  if (seconds === 0) return
  const minutes = Math.ceil(seconds / 60)
  throw new Refusal(
    'rate_limited',
    `Too many tries. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { details: { retry_after_seconds: seconds } },
  )
}

export function nameOf(kind: 'log-in' | 'forgotten' | 'address', what: string): Buffer {
  return createHash('sha256').update(`${kind}\n${what}`).digest()
}

function mayLogIn({ status, passwordHash }: UserRow): boolean {
  return status === 'active' && passwordHash !== null
}

/** What everybody knows opens no account that serves real merchants, and no installation that has one, or is to. */
function isRight(deps: Deps, hashes: readonly string[], password: string): (user: UserRow) => boolean {
  const isLive = (accountId: string): boolean =>
    accountId === INSTALLATION
      ? deps.accounts.list().some(({ account }) => account.mode === 'live')
      : deps.accounts.find(accountId)?.account.mode === 'live'
  return ({ passwordHash, accountId }) =>
    passwordHash !== null &&
    hashes.some((hash) => sameText(passwordHash, hash)) &&
    !(isDemoPassword(password) && (deps.live || isLive(accountId)))
}

function choose(deps: Deps, [only, ...others]: readonly UserRow[]): UserRow {
  if (!only) throw wrongLogin()
  if (others.length === 0) return only
  throw new Refusal('choose_account', 'You are in several accounts: say which with tenant_id.', {
    details: {
      accounts: [only, ...others].map((user) => ({
        tenant_id: user.accountId,
        name: deps.accounts.find(user.accountId)?.account.name ?? 'All accounts',
      })),
    },
  })
}

function wrongLogin(): Refusal {
  return new Refusal('wrong_login', 'The e-mail address or the password is not right.')
}
