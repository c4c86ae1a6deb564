import { COMMON_PASSWORDS } from './common-passwords.generated.ts'
import { SCOPES, type Scope } from './scopes.ts'

/**
 * `operator`: of the whole installation, enters every account. `merchant_admin`: everything in one account.
 * `store_clerk`: the day's work, in the stores that are named.
 */
export const ROLES = ['operator', 'merchant_admin', 'store_clerk'] as const
export type Role = (typeof ROLES)[number]

/** The roles that an account gives itself. */
export const ACCOUNT_ROLES = ['merchant_admin', 'store_clerk'] as const satisfies readonly Role[]

/** What each role may do of what API clients may. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  operator: SCOPES,
  merchant_admin: SCOPES,
  store_clerk: ['deliveries:read', 'deliveries:write', 'quotes', 'manifests', 'links'],
}

/** Where operators stand among accounts: no account can be called so. */
export const INSTALLATION = '~'

export type User = {
  /** An account, or `INSTALLATION`. */
  accountId: string
  userId: string
  /** In small letters. */
  email: string
  /** Null until an invitation is accepted. */
  name: string | null
  role: Role
  /** Null: every store. */
  storeReferences: readonly string[] | null
  status: UserStatus
  /** Whether a code is asked for at the log-in. */
  hasFactor: boolean
  createdAtMs: number
  lastLoginAtMs: number | null
}

export const USER_STATUSES = ['invited', 'active', 'disabled'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** One spelling of an address, so that it is one user. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

export const SHORTEST_PASSWORD = 10
const LONGEST_PASSWORD = 200

/** Not on the list, and tried all the same. */
const ALSO_COMMON = ['iloveyou123', 'passw0rd123', 'letmein123', 'changeme123', 'administrator']
const COMMON: ReadonlySet<string> = new Set([...COMMON_PASSWORDS.trim().split('\n'), ...ALSO_COMMON])

/**
 * Why a password is not taken, as a sentence; null when it is. Length and being unguessed count, mixtures do not.
 * `email` null: whose it is to be is not known.
 */
export function passwordMistake(password: string, email: string | null): string | null {
  const length = [...password].length
  if (length < SHORTEST_PASSWORD) return `The password must have at least ${SHORTEST_PASSWORD} characters.`
  if (length > LONGEST_PASSWORD) return `The password may have at most ${LONGEST_PASSWORD} characters.`
  const plain = password.toLowerCase()
  if (new Set(plain).size < 4 || COMMON.has(plain)) return 'This password is among the first to be tried.'
  const [mailbox = ''] = email === null ? [] : emailKey(email).split('@')
  if (email !== null && plain.replace(/[^\p{L}]+/gu, '') === mailbox.replace(/[^\p{L}]+/gu, ''))
    return 'The password may not be the e-mail address.'
  return null
}
