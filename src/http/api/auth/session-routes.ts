import { setTimeout as sleep } from 'node:timers/promises'
import { record, text } from '../../../domain/untyped-json.ts'
import { logIn } from '../../../operations/people/log-in.ts'
import { passwordIssues } from '../../../operations/people/password.ts'
import { factorState } from '../../../operations/people/second-factor.ts'
import { acceptUserLink, forgotPassword, openUserLink } from '../../../operations/people/user-links.ts'
import { endUserSession, personEnrolling, SESSION_LIFE_MS } from '../../../operations/people/user-session.ts'
import type { Person } from '../../../operations/tokens/user-token.ts'
import { deviceCookie, deviceProof, personCookie, personToken } from '../../admission/person-admission.ts'
import { rateLimitKey } from '../../admission/rate-limit.ts'
import { refuseOtherSites, refuseRidden } from '../../admission/same-origin.ts'
import { type Endpoint, json, openEndpoint, type RequestContext } from '../../contract/endpoint.ts'
import {
  AcceptLinkBody,
  ForgottenAnswer,
  ForgottenBody,
  LogInBody,
  OpenLinkAnswer,
  OpenLinkBody,
  SessionInfoAnswer,
} from '../people/people-schema.ts'
import { toSessionInfo } from '../people/session-info.ts'

const headers = { 'cache-control': 'no-store' }
const shared = { access: 'public', tag: 'People', headers } as const
export const WHO = { 200: { description: 'The user who is logged in.', schema: SessionInfoAnswer } }

/** Minimum response time, so that timing does not reveal whether an email address is known. */
const FLOOR_MS = 150

export const SESSION_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...shared,
    method: 'POST',
    url: '/session',
    operationId: 'logIn',
    summary: 'Log in',
    description:
      'Sets the session as a cookie. The session ends after 24 hours, or after 4 hours without a request. Within 15 minutes, an email address can fail five times from one IP address, and five times from a browser that has logged in before. After ten failed attempts in total from unknown browsers, further attempts wait in a queue or receive 429 with `Retry-After`. A user with a second factor also sends `code`.',
    body: LogInBody,
    example: { email: 'admin@wattle.example', password: 'demo-admin-1' },
    answers: WHO,
    refusals: [
      'invalid_credentials',
      'account_required',
      'second_factor_required',
      'invalid_second_factor',
      'passkey_required',
      'rate_limited',
      'cross_site_request',
    ],
    async handle({ deps, body, request, audit }) {
      refuseOtherSites(deps, request)
      const credentials = {
        ...body,
        accountId: body.tenant_id ?? null,
        code: body.code ?? null,
        network: rateLimitKey(request.ip),
        ip: request.ip,
        userAgent: request.headers['user-agent'] ?? null,
        proofOf: (userId: string) => deviceProof(request, userId),
      }
      const { token, proof, user, failedBefore } = await logIn(deps, credentials, audit.record)
      const person = { ...user, bySecondFactor: user.hasFactor, failedBefore }
      return openedSession({ deps, request }, { token, proof, person })
    },
  }),
  openEndpoint({
    ...shared,
    method: 'GET',
    url: '/session',
    operationId: 'getSession',
    ofSession: true,
    summary: 'Get the user who is logged in',
    answers: WHO,
    refusals: ['unauthorized'],
    async handle({ deps, request }) {
      const person = await personEnrolling(deps, personToken(request))
      return json(200, { data: await toSessionInfo(deps, person, await factorState(deps, person)) })
    },
  }),
  openEndpoint({
    ...shared,
    method: 'DELETE',
    url: '/session',
    operationId: 'logOut',
    summary: 'Log out',
    exampleCall: { headers: ['Cookie: $SESSION', 'Sec-Fetch-Site: same-origin'] },
    answers: {
      204: { description: 'The session has ended in every process, or there was no session.' },
    },
    refusals: ['cross_site_request'],
    handle: logOut,
  }),
  openEndpoint({
    ...shared,
    method: 'POST',
    url: '/session/forgotten',
    operationId: 'forgotPassword',
    summary: 'Request a password reset by email',
    description: 'The response is the same whether or not a user has the email address.',
    body: ForgottenBody,
    example: { email: 'clerk@wattle.example' },
    answers: {
      202: {
        description: 'If a user with this email address can log in, an email is on its way.',
        schema: ForgottenAnswer,
      },
    },
    refusals: ['rate_limited', 'cross_site_request'],
    unaudited: 'The response must not reveal whether anything happened; the message itself is stored.',
    async handle({ deps, body, request }) {
      refuseOtherSites(deps, request)
      await Promise.all([forgotPassword(deps, body.email, rateLimitKey(request.ip)), sleep(FLOOR_MS)])
      return json(202, { data: { expires_in: 3_600 } })
    },
  }),
  openEndpoint({
    ...shared,
    method: 'POST',
    url: '/session/link',
    operationId: 'openUserLink',
    summary: 'Get the user of an invitation or password reset link',
    body: OpenLinkBody,
    example: { token: '$INVITATION' },
    answers: { 200: { description: 'The link is valid.', schema: OpenLinkAnswer } },
    refusals: ['user_link_expired', 'cross_site_request'],
    idempotency: 'none',
    async handle({ deps, body, request }) {
      refuseOtherSites(deps, request)
      const { user, purpose } = await openUserLink(deps, body.token)
      const { email, name } = user
      const entry = await deps.accounts.find(user.accountId)
      return json(200, { data: { purpose, email, name, account_name: entry?.account.name ?? null } })
    },
  }),
  openEndpoint({
    ...shared,
    method: 'POST',
    url: '/session/password',
    operationId: 'setPassword',
    summary: 'Set a password with an invitation or reset link',
    description:
      'Accepts the invitation or replaces the forgotten password. The link works once. Every session of the user ends, and the user logs in with the new password.',
    body: AcceptLinkBody,
    moreIssues({ body }) {
      const password = text(record(body).password)
      return password === null ? [] : passwordIssues(password, null)
    },
    example: { token: '$INVITATION', password: 'nine lamps by the river', name: 'Noor Haddad' },
    answers: { 204: { description: 'The password is set.' } },
    refusals: ['user_link_expired', 'invalid_request', 'cross_site_request'],
    async handle({ deps, body, request, audit }) {
      refuseOtherSites(deps, request)
      const { token, password, name = null } = body
      await acceptUserLink(deps, token, { password, name }, audit.record)
      return { status: 204, body: '' }
    },
  }),
]

/** The answer to a login. */
export async function openedSession(
  { deps, request }: Pick<RequestContext, 'deps' | 'request'>,
  { token, proof, person }: { token: string; proof: string; person: Omit<Person, 'sessionId'> },
) {
  // Ends the browser’s previous session, because someone else may know its token (session fixation).
  const older = personToken(request)
  if (older !== null) await endUserSession(deps, older)
  const who = await toSessionInfo(deps, person, await factorState(deps, person))
  const answer = json(200, { data: who }, { 'set-cookie': personCookie(token, SESSION_LIFE_MS) })
  return { ...answer, cookies: [deviceCookie(person.userId, proof)] }
}

async function logOut({ deps, request, audit }: RequestContext) {
  const token = personToken(request)
  const cleared = { status: 204, headers: { 'set-cookie': personCookie('', 0) }, body: '' }
  if (token === null) {
    audit.nothing()
    return cleared
  }
  refuseRidden(deps, request)
  const person = await personEnrolling(deps, token).catch(() => null)
  if (person) {
    await endUserSession(deps, token)
    const { accountId, userId } = person
    audit.note({ accountId, object: userId, by: { kind: 'user', actor: userId } })
  } else audit.nothing()
  return cleared
}
