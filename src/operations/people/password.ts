import { randomBytes, scrypt } from 'node:crypto'
import type { Issue } from '../../domain/errors.ts'
import { emailKey, INSTALLATION, passwordMistake } from '../../domain/people/user.ts'
import { listUsersByEmail, type UserRow } from '../../store/people/users.ts'
import type { Deps } from '../deps.ts'

/** OWASP's figures for scrypt at 32 MiB; node:crypto's argon2 is still experimental. About a quarter of a second. */
const LOG_N = 15
const SHARED = { r: 8, p: 3, maxmem: 64 * 1024 * 1024 } as const
const SALT_BYTES = 16

type PasswordDeps = Pick<Deps, 'db' | 'passwordLogN'> & { accounts: Pick<Deps['accounts'], 'list'> }

/**
 * The stored form of a password: `scrypt$15$salt$key`, where the number is the logarithm of the cost. An email address
 * has one salt in all its accounts, so that one computation covers an address in one account, in several or in no
 * account, and its duration reveals nothing.
 */
export async function hashPassword(deps: PasswordDeps, email: string, password: string): Promise<string> {
  const users = await listEverywhere(deps, email)
  const salt = listSalts(users)[0] ?? newSalt(deps)
  return hashWith(salt, password)
}

/** The hash of the password for each of these users; computed even if there is no user. */
export async function hashesToCompare(
  deps: Pick<Deps, 'passwordLogN'>,
  users: readonly UserRow[],
  password: string,
): Promise<string[]> {
  const salts = listSalts(users)
  const hashes: string[] = []
  for (const salt of salts.length > 0 ? salts : [newSalt(deps)]) hashes.push(await hashWith(salt, password))
  return hashes
}

/** All users with this email address, in any account. */
export function listEverywhere({ db, accounts }: PasswordDeps, email: string): Promise<UserRow[]> {
  const known = accounts.list().map(({ accountId }) => accountId)
  return listUsersByEmail(db, [INSTALLATION, ...known], emailKey(email))
}

/** The issues of a new password; `email` null: its user is not known yet. */
export function passwordIssues(password: string, email: string | null): Issue[] {
  const message = passwordMistake(password, email)
  return message === null ? [] : [{ field: 'password', issue: 'invalid_value', message }]
}

/** A salt includes its cost: `15$salt`. */
async function hashWith(salt: string, password: string): Promise<string> {
  const [logN, bytes = ''] = salt.split('$')
  const cost = { ...SHARED, N: 2 ** Number(logN) }
  const key = await new Promise<Buffer>((resolve, reject) =>
    scrypt(password.normalize('NFKC'), Buffer.from(bytes, 'base64url'), 32, cost, (error, made) =>
      error ? reject(error) : resolve(made),
    ),
  )
  return `scrypt$${salt}$${key.toString('base64url')}`
}

function listSalts(users: readonly UserRow[]): string[] {
  return [...new Set(users.flatMap(({ passwordHash }) => (passwordHash ? getSalt(passwordHash) : [])))]
}

function getSalt(hash: string): string {
  return hash.split('$').slice(1, 3).join('$')
}

function newSalt({ passwordLogN = LOG_N }: Pick<Deps, 'passwordLogN'>): string {
  return `${passwordLogN}$${randomBytes(SALT_BYTES).toString('base64url')}`
}
