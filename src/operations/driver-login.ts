import { Refusal } from '../domain/errors.ts'
import { toE164 } from '../domain/phone.ts'
import { notAPhone } from '../domain/quoting/resolve-delivery.ts'
import { countCodeTry, exchangeCode, listAccountsOfDriver, setDriverCode } from '../store/driver-access.ts'
import type { Deps } from './deps.ts'
import { driverCode, driverMessageId, hashOfToken, newSessionToken } from './driver-token.ts'
import { refuse } from './resolve-delivery.ts'
import { sameText } from './sign.ts'

const CODE_LIFE_MS = 5 * 60_000
/** Of one code. */
export const MOST_TRIES = 5
/** Whoever tries an app of ours out logs one courier in all day long; nothing is behind a sandbox's codes. */
const CODES_AN_HOUR = { live: 5, sandbox: 60 } as const
/** A driver works for more accounts than this in nobody's life; the token names them all. */
const MOST_ACCOUNTS = 10

const NOBODYS = { accountId: '', storeId: '' }

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
}

/**
 * Live accounts first: the code goes by the first one's outbox, and that of a sandbox shows it to its readers where no
 * gateway is set. They must not get into a live account by it.
 */
export async function askedPhone(deps: Deps, phone: string): Promise<AskedPhone> {
  const known = deps.accounts.list().map(({ account }) => account.id)
  const isSandbox = (accountId: string) => deps.accounts.find(accountId)?.account.mode === 'sandbox'
  const found = await listAccountsOfDriver(deps.db, known, phone)
  const homes = found
    .toSorted((a, b) => Number(isSandbox(a.accountId)) - Number(isSandbox(b.accountId)))
    .slice(0, MOST_ACCOUNTS)
  const mode = homes[0] && isSandbox(homes[0].accountId) ? 'sandbox' : 'live'
  return { phone, homes, codesAnHour: CODES_AN_HOUR[mode] }
}

/**
 * Sends a code by SMS where the phone is a courier's; where it is not, nothing is sent and nobody is told. The database is
 * asked the same of either, so that they take the same time.
 */
export async function requestDriverCode(
  deps: Deps,
  { phone, homes, codesAnHour }: AskedPhone,
): Promise<void> {
  const home = homes[0] ?? NOBODYS
  const nonce = driverMessageId(deps.newId('evt'))
  await setDriverCode(deps.db, {
    ...home,
    phone,
    nonce,
    lifeMs: CODE_LIFE_MS,
    most: codesAnHour,
    message: {
      id: nonce,
      body: '{code} is your Drover code. 5 minutes.',
      atMs: deps.accounts.find(home.accountId)?.nowMs() ?? Date.now(),
    },
  })
  deps.wake()
}

/** The token of a new session. Refuses `invalid_code`, with the same words whatever was wrong. */
export async function verifyDriverCode(
  deps: Deps,
  { phone, homes }: AskedPhone,
  code: string,
): Promise<string> {
  const home = (homes[0] ?? NOBODYS).accountId
  const nonce = await countCodeTry(deps.db, home, phone, MOST_TRIES)
  const right = sameText(driverCode(deps.secretKey, home, nonce ?? ''), code)
  if (nonce === null || !right) throw wrongCode()
  const accountIds = homes.map(({ accountId }) => accountId)
  const token = newSessionToken(accountIds)
  const session = { accountIds, tokenHash: hashOfToken(token), lifeMs: SESSION_LIFE_MS }
  if (!(await exchangeCode(deps.db, { accountId: home, phone, nonce }, session))) throw wrongCode()
  return token
}

function wrongCode(): Refusal {
  return new Refusal('invalid_code', 'The code is wrong, used or older than 5 minutes. Ask for a new one.')
}
