import { Refusal } from '../../domain/errors.ts'
import { plain } from '../../domain/messages/plain-text.ts'
import { toE164 } from '../../domain/phone.ts'
import { notAPhone } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { refuse } from '../../domain/refuse.ts'
import {
  countCodeAttempt,
  exchangeCodes,
  listAccountsOfDriver,
  setDriverCodes,
} from '../../store/own-couriers/driver-access.ts'
import type { Deps } from '../deps.ts'
import { MAX_SANDBOX_SMS_AN_HOUR, MAX_SMS_AN_HOUR, refuseCodesTooSoon } from '../messages/sms-limits.ts'
import { sameText } from '../secrets/sign.ts'
import { driverCode, driverMessageId, hashOfToken, newSessionToken } from '../tokens/driver-token.ts'
import { getDriver } from './driver-session.ts'

const CODE_LIFE_MS = 5 * 60_000
/** Wrong attempts for one code. */
export const MAX_ATTEMPTS = 5
/** The higher limit is for evaluation, where one courier logs in all day long. */
const CODES_AN_HOUR = { texted: MAX_SMS_AN_HOUR, kept: MAX_SANDBOX_SMS_AN_HOUR } as const
/** Most accounts of one driver; the session token names them all. */
const MAX_ACCOUNTS = 10

const NOBODYS = { accountId: '', storeId: '' }

/**
 * Refuses `rate_limited` for a phone that requests codes too soon or too often, equally for known and unknown phones.
 */
export async function refuseTooManyCodes(
  { db }: Pick<Deps, 'db'>,
  { phone, codesAnHour: max, isTexted: paused }: AskedPhone,
): Promise<void> {
  await refuseCodesTooSoon(db, phone, { max, paused })
}

export const SESSION_LIFE_MS = 7 * 24 * 3_600_000

/**
 * The E.164 form of the number that a driver typed. Refuses `invalid_request`; this reveals nothing about known
 * numbers.
 */
export function driverPhone(text: string): string {
  return toE164(text) ?? refuse([notAPhone('phone')])
}

/** A phone with a requested login. */
export type AskedPhone = {
  /** E.164. */
  phone: string
  /** The accounts and stores with this phone on their courier list, live accounts first; empty for an unknown phone. */
  homes: readonly { accountId: string; storeId: string }[]
  /** Codes allowed per hour. An unknown phone counts like one of a live account, so that the two look alike. */
  codesAnHour: number
  /** Whether its codes are sent by SMS. */
  isTexted: boolean
}

/** Live accounts come first, so that sandboxes, however many, cannot prevent their codes from being sent. */
export async function askedPhone(deps: Deps, phone: string): Promise<AskedPhone> {
  const known = deps.accounts.list().map((head) => head.accountId)
  const isSandbox = (accountId: string) => deps.accounts.head(accountId)?.mode === 'sandbox'
  const found = await listAccountsOfDriver(deps.db, known, phone)
  const homes = found
    .toSorted((a, b) => Number(isSandbox(a.accountId)) - Number(isSandbox(b.accountId)))
    .slice(0, MAX_ACCOUNTS)
  const isKept = homes[0] !== undefined && isSandbox(homes[0].accountId) && !deps.notifier.sms
  return { phone, homes, codesAnHour: CODES_AN_HOUR[isKept ? 'kept' : 'texted'], isTexted: !isKept }
}

/**
 * Sends a code by SMS for each account in which the phone belongs to a courier. Each code opens its own account only,
 * because any account may list any phone, and a sandbox shows its own codes in its outbox. Accounts in which the driver
 * is already logged in are left out. For an unknown phone nothing is sent and the caller cannot tell; the same queries
 * run, so that both cases take the same time.
 */
export async function requestDriverCodes(
  deps: Deps,
  { phone, homes }: AskedPhone,
  session: string | null = null,
): Promise<void> {
  const held = new Set((await findSession(deps, phone, session))?.accountIds)
  const asked = homes.filter(({ accountId }) => !held.has(accountId))
  const coding = (asked.length > 0 ? asked : [NOBODYS]).map(async ({ accountId, storeId }) => {
    const entry = await deps.accounts.find(accountId)
    return {
      accountId,
      storeId,
      nonce: driverMessageId(deps.newId('evt')),
      body: `{code} is your Drover code for ${plain(entry?.account.name ?? '')}. 5 minutes.`,
      atMs: entry?.nowMs() ?? Date.now(),
    }
  })
  const codes = await Promise.all(coding)
  await setDriverCodes(deps.db, { phone, lifeMs: CODE_LIFE_MS }, codes)
  deps.wake()
}

/**
 * Creates a session and returns its token. The session covers the account of this code, and the accounts in which the
 * driver is already logged in by `session`, which ends. Refuses `invalid_code`, with the same message for every cause.
 */
export async function verifyDriverCode(
  deps: Deps,
  { phone, homes }: AskedPhone,
  code: string,
  session: string | null = null,
): Promise<string> {
  const older = await findSession(deps, phone, session)
  const accountIds = (homes.length > 0 ? homes : [NOBODYS]).map(({ accountId }) => accountId)
  const open = await countCodeAttempt(deps.db, accountIds, phone, MAX_ATTEMPTS)
  const nonceOf = new Map(open.map(({ accountId, nonce }) => [accountId, nonce]))
  const right = accountIds.filter(
    (accountId) =>
      // Compared even if there is no code, so that it takes the same time.
      sameText(driverCode(deps.secretKey, accountId, nonceOf.get(accountId) ?? ''), code) &&
      nonceOf.has(accountId),
  )
  if (right.length === 0) throw wrongCode()
  const codes = open.map((code) => ({ ...code, isRight: right.includes(code.accountId) }))
  const token = newSessionToken([...new Set([...right, ...(older?.accountIds ?? [])])])
  const made = { tokenHash: hashOfToken(token), lifeMs: SESSION_LIFE_MS }
  if (!(await exchangeCodes(deps.db, { phone, codes }, made, older))) throw wrongCode()
  return token
}

/** The session of a token, if it belongs to this phone. */
async function findSession(
  deps: Deps,
  phone: string,
  token: string | null,
): Promise<{ accountIds: readonly string[]; tokenHash: Buffer } | null> {
  if (token === null) return null
  const driver = await getDriver(deps, token).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  return driver?.phone === phone ? { accountIds: driver.accountIds, tokenHash: hashOfToken(token) } : null
}

function wrongCode(): Refusal {
  return new Refusal('invalid_code', 'The code is wrong, used or older than 5 minutes. Ask for a new one.')
}
