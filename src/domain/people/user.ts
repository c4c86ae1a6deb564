import { COMMON_PASSWORDS } from './common-passwords.generated.ts'
import { SCOPES, type Scope } from './scopes.ts'

/**
 * `operator`: for the whole installation, with access to every account. `merchant_admin`: everything in one
 * account. `store_clerk`: daily work, in the named stores.
 */
export const ROLES = ['operator', 'merchant_admin', 'store_clerk'] as const
export type Role = (typeof ROLES)[number]

/** The roles that an account can assign. */
export const ACCOUNT_ROLES = ['merchant_admin', 'store_clerk'] as const satisfies readonly Role[]

/** The scopes of each role. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  operator: SCOPES,
  merchant_admin: SCOPES,
  store_clerk: ['deliveries:read', 'deliveries:write', 'quotes', 'manifests', 'links'],
}

/** The account id of operators. No real account can have this id. */
export const INSTALLATION = '~'

export type User = {
  /** An account, or `INSTALLATION`. */
  accountId: string
  userId: string
  /** In lower case. */
  email: string
  /** Null until an invitation is accepted. */
  name: string | null
  role: Role
  /** Null: every store. */
  storeReferences: readonly string[] | null
  status: UserStatus
  /** Whether a login by password requires a code of the authenticator app. */
  hasFactor: boolean
  /** How many passkeys they can log in with. */
  passkeys: number
  /** The OpenID Connect providers at which an identity is linked to the user. */
  linkedIssuers: readonly string[]
  createdAtMs: number
  lastLoginAtMs: number | null
  /** Wrong passwords and wrong codes since the last login. */
  failedLogins: FailedLogins
}

/** A passkey as its user sees it. */
export type OwnPasskey = {
  passkeyId: string
  name: string
  /** A password manager keeps it on several devices. */
  synced: boolean
  createdAtMs: number
  lastUsedAtMs: number | null
}

/** `lastAtMs`: the time of the last one; null if there is none. */
export type FailedLogins = { count: number; lastAtMs: number | null }

/** Whether a person may own API clients: those of a person who may not end. */
export function mayOwnClients({ role, status }: Pick<User, 'role' | 'status'>): boolean {
  return role !== 'store_clerk' && status === 'active'
}

export const USER_STATUSES = ['invited', 'active', 'disabled'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** Normalises an email address, so that its spellings are one user. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

export const SHORTEST_PASSWORD = 10
const LONGEST_PASSWORD = 200

/** Not on the list, but attackers try them too. */
const ALSO_COMMON = ['iloveyou123', 'passw0rd123', 'letmein123', 'changeme123', 'administrator']
const COMMON: ReadonlySet<string> = new Set([...COMMON_PASSWORDS.trim().split('\n'), ...ALSO_COMMON])

/**
 * Why a password is rejected, as a sentence; null when it is accepted. Length and being uncommon count;
 * mixing kinds of characters does not. `email` null: the user is not known yet.
 */
export function passwordMistake(password: string, email: string | null): string | null {
  const length = [...password].length
  if (length < SHORTEST_PASSWORD) return `The password must have at least ${SHORTEST_PASSWORD} characters.`
  if (length > LONGEST_PASSWORD) return `The password may have at most ${LONGEST_PASSWORD} characters.`
  const plain = password.toLowerCase()
  if (new Set(plain).size < 4 || COMMON.has(plain))
    return 'This password is too easy to guess. Choose another one.'
  const [mailbox = ''] = email === null ? [] : emailKey(email).split('@')
  const toLetters = (text: string) => text.replace(/[^\p{L}]+/gu, '')
  if (toLetters(mailbox) !== '' && toLetters(plain) === toLetters(mailbox))
    return 'The password may not be the email address.'
  return null
}
