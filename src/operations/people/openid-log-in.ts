import type { OpenIdConnect } from '../../domain/account/account.ts'
import { Refusal } from '../../domain/errors.ts'
import type { FailedLogins, User } from '../../domain/people/user.ts'
import type { OpenIdProvider } from '../../outbound/openid-client.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { countAttempts, recordFailedLogin, refundAttempts } from '../../store/people/login-attempts.ts'
import {
  findUserByIdentity,
  type Identity,
  insertSessionOfIdentity,
  useOpenIdState,
} from '../../store/people/user-identities.ts'
import type { UserRow } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { sameText } from '../secrets/sign.ts'
import { newUserSessionToken, type Person, userTokenHash } from '../tokens/user-token.ts'
import { browserName } from './browser-name.ts'
import { type Credentials, checkSecondFactor, confirmIdentity } from './check-second-factor.ts'
import { findDevice, newDeviceProof } from './known-device.ts'
import { MAX_OF_ADDRESS, WINDOW_MS } from './log-in.ts'
import { toAttemptKey } from './login-attempt-keys.ts'
import { linkOpenId } from './openid-links.ts'
import {
  newOpenIdSecrets,
  newOpenIdState,
  OPENID_LIFE_MS,
  openIdStateHash,
  sealOpenId,
  unsealOpenId,
} from './openid-request.ts'
import { refuseWithoutPasskey } from './second-factor.ts'
import { SESSION_LIFE_MS } from './user-session.ts'

/**
 * The address to which an account's provider sends people back; it must be registered there. Each account has its own,
 * so that an answer from another account's provider is recognised (RFC 9700, 4.4.2.2).
 */
export function toRedirectUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, accountId: string): string {
  return `${publicUrl}/session/openid/callback/${encodeURIComponent(accountId)}`
}

/** Why a login at a provider did not succeed; the portal has a sentence for each. */
export type OpenIdProblem =
  | 'openid_not_linked'
  | 'openid_failed'
  | 'openid_expired'
  | 'openid_cancelled'
  | 'openid_taken'
  | 'openid_rate_limited'

/** The browser that logs in. */
export type Visitor = { network: string; ip: string; userAgent: string | null }

export type OpenedSession = { token: string; proof: string; user: User; failedBefore: FailedLogins }

/** The name of the account's provider; null: the account has no provider, or there is no such account. */
export async function findOpenIdName(
  { accounts }: Pick<Deps, 'accounts'>,
  accountId: string,
): Promise<string | null> {
  return (await accounts.find(accountId))?.account.openIdConnect?.name ?? null
}

/**
 * Begins a login at the account's provider, or the linking of an identity there to `linkTo`, who types their password
 * and code again. `cookie` binds the answer to this browser. Refuses `not_found`, `openid_failed`,
 * `passkey_required` and what `confirmIdentity` refuses.
 */
export async function startOpenId(
  deps: Deps,
  { accountId, returnTo }: { accountId: string; returnTo: string },
  linkTo: { person: Person; credentials: Credentials } | null,
): Promise<{ url: string; cookie: string }> {
  const name = await findOpenIdName(deps, accountId)
  if (name === null) throw new Refusal('not_found', 'This account has no OpenID Connect provider.')
  if (linkTo) {
    await refuseWithoutPasskey(deps, linkTo.person)
    await confirmIdentity(deps, linkTo.person, linkTo.credentials)
  }
  const secrets = newOpenIdSecrets()
  const redirectUrl = toRedirectUrl(deps, accountId)
  const provider = await findProvider(deps, accountId)
  const started = provider && (await deps.openIdClient.start(provider, { ...secrets, redirectUrl }))
  if (!provider || started?.kind !== 'started') {
    if (started?.kind === 'failed') noteFailure(deps, accountId, started.reason)
    throw new Refusal(
      'openid_failed',
      `${name} isn’t answering. Try again in a minute, or use your password.`,
    )
  }
  const cookie = sealOpenId(deps, 'request', {
    ...secrets,
    accountId,
    issuer: provider.issuer,
    clientId: provider.clientId,
    linkTo: linkTo && { userId: linkTo.person.userId, sessionId: linkTo.person.sessionId },
    returnTo,
    expiresAtMs: Date.now() + OPENID_LIFE_MS,
  })
  return { url: started.url, cookie }
}

export type OpenIdOutcome =
  | { kind: 'logged_in'; session: OpenedSession; returnTo: string }
  | { kind: 'linked'; returnTo: string }
  /** The person's second factor is needed; `cookie` keeps the login until then. */
  | { kind: 'code_needed'; accountId: string; cookie: string }
  | { kind: 'problem'; problem: OpenIdProblem; accountId: string | null }

/**
 * Finishes what `startOpenId` began, with the answer that came to an account's address and the cookie of this browser.
 * `search`: the answer's query; `person`: the browser's session, for linking. `record` and `recordLink` write the audit row of a login and of a link. Never refuses: a
 * person who follows a redirect gets a page.
 */
export async function finishOpenId(
  deps: Deps,
  {
    answer: { accountId: answeredId, search },
    cookie,
    person,
    visitor,
  }: {
    answer: { accountId: string; search: string }
    cookie: string | null
    person: Person | null
    visitor: Visitor
  },
  record: Record<'logIn' | 'link', WriteAudit>,
): Promise<OpenIdOutcome> {
  const request = unsealOpenId(deps, 'request', cookie)
  const accountId = request?.accountId ?? null
  const problem = (name: OpenIdProblem): OpenIdOutcome => ({
    kind: 'problem',
    problem: name,
    accountId,
  })
  const answer = new URL(`${toRedirectUrl(deps, answeredId)}${search}`)
  if (!request || !sameText(request.state, answer.searchParams.get('state') ?? ''))
    return problem('openid_expired')
  // A mix-up: another account's provider issued this code, so it must not go to the provider of the request's account.
  if (answeredId !== request.accountId) {
    noteFailure(deps, request.accountId, 'other_account')
    return problem('openid_failed')
  }
  const attempts = await countOfAddress(deps, visitor.network)
  if (attempts.isOver) return problem('openid_rate_limited')
  const provider = await findProvider(deps, request.accountId)
  const isSame = provider?.issuer === request.issuer && provider.clientId === request.clientId
  if (!isSame || !(await useUpState(deps, request))) return problem('openid_expired')

  const result = await deps.openIdClient.finish(provider, answer, request)
  if (result.kind === 'cancelled') return problem('openid_cancelled')
  if (result.kind === 'failed') {
    noteFailure(deps, request.accountId, result.reason)
    return problem('openid_failed')
  }
  const identity = { issuer: provider.issuer, subject: result.subject }
  const { returnTo, linkTo } = request
  if (linkTo) {
    const isSameSession = person?.userId === linkTo.userId && person.sessionId === linkTo.sessionId
    if (!person || !isSameSession) return problem('openid_expired')
    const result = await linkOpenId(deps, person, identity, record.link)
    if (result !== 'linked') return problem(result === 'taken' ? 'openid_taken' : 'openid_expired')
    await attempts.refund()
    return { kind: 'linked', returnTo }
  }
  const user = await findUserByIdentity(deps.db, request.accountId, identity)
  // Disabled people get the same answer as people who have not linked.
  if (user?.status !== 'active') return problem('openid_not_linked')
  const isMultiFactor = result.methods.includes('mfa')
  if (user.hasFactor && !isMultiFactor) {
    await attempts.refund()
    const { userId } = user
    const expiresAtMs = Date.now() + OPENID_LIFE_MS
    const pending = {
      ...identity,
      state: newOpenIdState(),
      accountId: user.accountId,
      userId,
      returnTo,
      expiresAtMs,
    }
    return { kind: 'code_needed', accountId: user.accountId, cookie: sealOpenId(deps, 'pending', pending) }
  }
  const session = await openSession(
    deps,
    user,
    identity,
    { visitor, bySecondFactor: isMultiFactor },
    record.logIn,
  )
  if (!session) return problem('openid_not_linked')
  await attempts.refund()
  return { kind: 'logged_in', session, returnTo }
}

/**
 * Opens the session of a login that waits for the code of the person's second factor. Refuses `openid_expired`,
 * `invalid_second_factor` and `rate_limited`.
 */
export async function completeOpenId(
  deps: Deps,
  {
    cookie,
    code,
    visitor,
    proofOf,
  }: { cookie: string | null; code: string; visitor: Visitor; proofOf(userId: string): string | null },
  record: WriteAudit,
): Promise<OpenedSession & { returnTo: string }> {
  const pending = unsealOpenId(deps, 'pending', cookie)
  const user = pending && (await findUserByIdentity(deps.db, pending.accountId, pending))
  const isOpen = pending && user?.userId === pending.userId && user.status === 'active'
  // Unlinked at the account since: the provider is no longer the account's.
  if (!isOpen || (await findProvider(deps, pending.accountId))?.issuer !== pending.issuer) throw expired()
  const device = findDevice(deps.secretKey, user, proofOf(user.userId))
  await checkSecondFactor(deps, user, code, device).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === 'invalid_second_factor') {
      const failed = { accountIds: [user.accountId], email: user.email }
      await recordFailedLogin(deps.db, failed, toAttemptKey('address', visitor.network))
    }
    throw error
  })
  if (!(await useUpState(deps, pending))) throw expired()
  const session = await openSession(deps, user, pending, { visitor, bySecondFactor: true }, record)
  if (!session) throw expired()
  return { ...session, returnTo: pending.returnTo }
}

async function openSession(
  deps: Deps,
  user: UserRow,
  identity: Identity,
  { visitor, bySecondFactor }: { visitor: Visitor; bySecondFactor: boolean },
  record: WriteAudit,
): Promise<OpenedSession | null> {
  const token = newUserSessionToken(user.accountId)
  const browser = await browserName(visitor.userAgent)
  const failedBefore = await withTransaction(deps.db, async (db) => {
    const failed = await insertSessionOfIdentity(db, user, identity, {
      sessionId: deps.newId('ses'),
      tokenHash: userTokenHash(token),
      lifeMs: SESSION_LIFE_MS,
      bySecondFactor,
      browser,
      ip: visitor.ip,
    })
    if (!failed) return null
    await record(db, {
      accountId: user.accountId,
      object: user.userId,
      after: { by: 'openid_connect' },
      by: { kind: 'user', actor: user.userId },
    })
    return failed
  })
  return failedBefore && { token, proof: newDeviceProof(deps.secretKey, user), user, failedBefore }
}

/** Null: the account has no provider, or the client's secret is not stored. */
async function findProvider(deps: Deps, accountId: string): Promise<OpenIdProvider | null> {
  const entry = await deps.accounts.find(accountId)
  const provider = entry?.account.openIdConnect
  if (!entry || !provider) return null
  const clientSecret = secretOf(entry, provider)
  if (clientSecret !== undefined) return { ...provider, clientSecret }
  noteFailure(deps, accountId, 'secret_not_stored')
  return null
}

function secretOf({ secretOf }: AccountEntry, { clientSecret }: OpenIdConnect): string | null | undefined {
  return clientSecret === null ? null : (secretOf(clientSecret) ?? undefined)
}

function useUpState(
  { db }: Pick<Deps, 'db'>,
  { accountId, state }: { accountId: string; state: string },
): Promise<boolean> {
  return useOpenIdState(db, accountId, { stateHash: openIdStateHash(state), lifeMs: OPENID_LIFE_MS })
}

/** Counts an attempt of an IP address together with those of passwords, before anything is compared. */
async function countOfAddress({ db }: Pick<Deps, 'db'>, network: string) {
  const address = toAttemptKey('address', network)
  const [counted] = await countAttempts(db, [address], WINDOW_MS)
  return {
    isOver: counted !== undefined && counted.attempts > MAX_OF_ADDRESS,
    refund: () => refundAttempts(db, [address, address], 'own'),
  }
}

function noteFailure({ log }: Pick<Deps, 'log'>, accountId: string, reason: string): void {
  log.warn({ accountId, reason }, 'a login with OpenID Connect failed')
}

function expired(): Refusal {
  return new Refusal(
    'openid_expired',
    'This login took too long, or you have already finished it. Log in again.',
  )
}
