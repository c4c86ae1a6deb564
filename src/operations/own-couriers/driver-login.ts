import { Refusal } from '../../domain/errors.ts'
import { plain } from '../../domain/messages/words.ts'
import { toE164 } from '../../domain/phone.ts'
import { notAPhone } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { refuse } from '../../domain/refuse.ts'
import {
  countCodeTry,
  exchangeCodes,
  listAccountsOfDriver,
  setDriverCodes,
} from '../../store/own-couriers/driver-access.ts'
import type { Deps } from '../context/deps.ts'
import { MAX_SMS_AN_HOUR, refuseCodesTooSoon } from '../messages/sms-limits.ts'
import { sameText } from '../secrets/sign.ts'
import { driverCode, driverMessageId, hashOfToken, newSessionToken } from '../tokens/driver-token.ts'
import { driverOf } from './driver-session.ts'

const CODE_LIFE_MS = 5 * 60_000
/** Of one code. */
export const MOST_TRIES = 5
/**
 * Whoever tries an app of ours out logs one courier in all day long: where no gateway is set, a sandbox's codes ring
 * nobody.
 */
const CODES_AN_HOUR = { texted: MAX_SMS_AN_HOUR, kept: 60 } as const
/** No driver works for more accounts than this; the token names them all. */
const MAX_ACCOUNTS = 10

const NOBODYS = { accountId: '', storeId: '' }

/** Refuses `rate_limited` for a phone that asks again too soon, or too often: the same whosever it is. */
export async function refuseTooManyCodes(
  { db }: Pick<Deps, 'db'>,
  { phone, codesAnHour: most, isTexted: paused }: AskedPhone,
): Promise<void> {
  await refuseCodesTooSoon(db, phone, { most, paused })
}

export const SESSION_LIFE_MS = 7 * 24 * 3_600_000

/** E.164 of what a driver typed. Refuses `invalid_request`; this says nothing of who is known. */
export function driverPhone(text: string): string {
  return toE164(text) ?? refuse([notAPhone('phone')])
}

/** A phone for which somebody wants to log in. */
export type AskedPhone = {
  /** E.164. */
  phone: string
  /** Whose courier has it, live accounts first; none where it is nobody's. */
  homes: readonly { accountId: string; storeId: string }[]
  /** How many codes it may have in an hour. What nobody has is taken for a live account's: the two look alike. */
  codesAnHour: number
  /** Whether its codes go out by SMS. */
  isTexted: boolean
}

/** Live accounts come first, so that no number of sandboxes keeps their codes from being sent. */
export async function askedPhone(deps: Deps, phone: string): Promise<AskedPhone> {
  const known = deps.accounts.list().map(({ account }) => account.id)
  const isSandbox = (accountId: string) => deps.accounts.find(accountId)?.account.mode === 'sandbox'
  const found = await listAccountsOfDriver(deps.db, known, phone)
  const homes = found
    .toSorted((a, b) => Number(isSandbox(a.accountId)) - Number(isSandbox(b.accountId)))
    .slice(0, MAX_ACCOUNTS)
  const isKept = homes[0] !== undefined && isSandbox(homes[0].accountId) && !deps.notifier.sms
  return { phone, homes, codesAnHour: CODES_AN_HOUR[isKept ? 'kept' : 'texted'], isTexted: !isKept }
}

/**
 * Sends a code by SMS for each account in which the phone is a courier's: each opens its own account and no other, for
 * any account may put any phone on its list, and a sandbox shows its own codes in its outbox. Accounts in which the
 * driver is logged in already are left out. Where the phone is nobody's, nothing is sent and nobody is told; the database
 * is asked the same, so that both take the same time.
 */
export async function requestDriverCodes(
  deps: Deps,
  { phone, homes, codesAnHour }: AskedPhone,
  session: string | null = null,
): Promise<void> {
  const held = new Set((await sessionOf(deps, phone, session))?.accountIds)
  const asked = homes.filter(({ accountId }) => !held.has(accountId))
  const codes = (asked.length > 0 ? asked : [NOBODYS]).map(({ accountId, storeId }) => {
    const entry = deps.accounts.find(accountId)
    return {
      accountId,
      storeId,
      nonce: driverMessageId(deps.newId('evt')),
      body: `{code} is your Drover code for ${plain(entry?.account.name ?? '')}. 5 minutes.`,
      atMs: entry?.nowMs() ?? Date.now(),
    }
  })
  await setDriverCodes(deps.db, { phone, lifeMs: CODE_LIFE_MS, most: codesAnHour }, codes)
  deps.wake()
}

/**
 * The token of a new session: of the account whose code this is, and of those in which the driver is logged in by
 * `session` already; that one is over. Refuses `invalid_code`, with the same words whatever was wrong.
 */
export async function verifyDriverCode(
  deps: Deps,
  { phone, homes }: AskedPhone,
  code: string,
  session: string | null = null,
): Promise<string> {
  const older = await sessionOf(deps, phone, session)
  const accountIds = (homes.length > 0 ? homes : [NOBODYS]).map(({ accountId }) => accountId)
  const open = await countCodeTry(deps.db, accountIds, phone, MOST_TRIES)
  const nonceOf = new Map(open.map(({ accountId, nonce }) => [accountId, nonce]))
  const right = accountIds.filter(
    (accountId) =>
      // Compared also where there is no code, so that it takes as long.
      sameText(driverCode(deps.secretKey, accountId, nonceOf.get(accountId) ?? ''), code) &&
      nonceOf.has(accountId),
  )
  if (right.length === 0) throw wrongCode()
  const codes = open.filter(({ accountId }) => right.includes(accountId))
  const token = newSessionToken([...new Set([...right, ...(older?.accountIds ?? [])])])
  const made = { tokenHash: hashOfToken(token), lifeMs: SESSION_LIFE_MS }
  if (!(await exchangeCodes(deps.db, { phone, codes }, made, older))) throw wrongCode()
  return token
}

/** The session that a token opens, where it is this phone's. */
async function sessionOf(
  deps: Deps,
  phone: string,
  token: string | null,
): Promise<{ accountIds: readonly string[]; tokenHash: Buffer } | null> {
  if (token === null) return null
  const driver = await driverOf(deps, token).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  return driver?.phone === phone ? { accountIds: driver.accountIds, tokenHash: hashOfToken(token) } : null
}

function wrongCode(): Refusal {
  return new Refusal('invalid_code', 'The code is wrong, used or older than 5 minutes. Ask for a new one.')
}
