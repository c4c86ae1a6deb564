import type { FastifyRequest } from 'fastify'
import { type Act, recorder } from '../../../operations/audit/audit.ts'
import { unlinkOpenId } from '../../../operations/people/openid-links.ts'
import {
  completeOpenId,
  findOpenIdName,
  finishOpenId,
  type OpenedSession,
  type OpenIdOutcome,
  startOpenId,
  toRedirectUrl,
  type Visitor,
} from '../../../operations/people/openid-log-in.ts'
import { endUserSession, personEnrolling, SESSION_LIFE_MS } from '../../../operations/people/user-session.ts'
import { ownSession, recordAsPerson } from '../../admission/own-session.ts'
import { deviceCookie, deviceProof, personCookie, personToken } from '../../admission/person-admission.ts'
import { rateLimitKey } from '../../admission/rate-limit.ts'
import { findCookie, refuseOtherSites } from '../../admission/same-origin.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import { type Endpoint, type HttpResponse, json, openEndpoint } from '../../contract/endpoint.ts'
import { OWN_SESSION, OWN_SESSION_ENDPOINT } from '../people/own-session-endpoint.ts'
import { deletedOpenIdCookie, openIdCookie, openIdCookieName } from './openid-cookies.ts'
import {
  CompleteOpenIdAnswer,
  CompleteOpenIdBody,
  OpenIdCallbackQuery,
  OpenIdProviderAnswer,
  OpenIdQuery,
  StartOpenIdAnswer,
  StartOpenIdBody,
  UnlinkOpenIdBody,
} from './openid-schema.ts'

const URL_OF_ALL = '/session/openid'
const { ofSession: _, ...shared } = OWN_SESSION_ENDPOINT

/** Login with the OpenID Connect provider of an account (authorization code flow with PKCE). */
export const OPENID_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...shared,
    method: 'GET',
    url: URL_OF_ALL,
    operationId: 'getOpenIdProvider',
    summary: 'Get the OpenID Connect provider of an account',
    description: 'An account that does not exist gets the same response as an account without a provider.',
    query: OpenIdQuery,
    exampleCall: { query: 'tenant_id=demo' },
    answers: { 200: { description: 'The provider, or null.', schema: OpenIdProviderAnswer } },
    refusals: [],
    async handle({ deps, query }) {
      const name = await findOpenIdName(deps, query.tenant_id)
      const provider = name === null ? null : { name }
      return json(200, { data: { provider, redirect_url: toRedirectUrl(deps, query.tenant_id) } })
    },
  }),
  openEndpoint({
    ...shared,
    method: 'POST',
    url: URL_OF_ALL,
    operationId: 'startOpenId',
    summary: 'Begin a login with the account’s OpenID Connect provider',
    description:
      'Returns the address of the provider’s page, and a cookie that binds the login to this browser for ten minutes. With `link`, the user who is logged in also sends their password, and their code if they have a second factor.',
    body: StartOpenIdBody,
    example: { tenant_id: 'demo', purpose: 'log_in' },
    exampleCall: { status: { code: 404, because: 'the demo account has no provider' } },
    answers: { 200: { description: 'The provider’s page.', schema: StartOpenIdAnswer } },
    refusals: [
      'not_found',
      'openid_failed',
      'unauthorized',
      'passkey_required',
      'invalid_credentials',
      'second_factor_required',
      'invalid_second_factor',
      'rate_limited',
      'cross_site_request',
    ],
    unaudited: 'Nothing changes until the provider’s answer, which is audited.',
    async handle(ask) {
      const { deps, body, request } = ask
      const { tenant_id: accountId, purpose, return_to: returnTo, password, code } = body
      refuseOtherSites(deps, request)
      const person = purpose === 'link' ? (await ownSession(ask)).person : null
      const { url, cookie } = await startOpenId(
        deps,
        {
          // An identity is linked in the person's own account, whatever the request says.
          accountId: person?.accountId ?? accountId,
          returnTo: returnTo ?? (person ? '/portal/log-in' : '/portal'),
        },
        person && { person, credentials: { password, code } },
      )
      return { ...json(200, { data: { url } }), cookies: [openIdCookie('request', cookie)] }
    },
  }),
  openEndpoint({
    ...shared,
    method: 'GET',
    url: `${URL_OF_ALL}/callback/:tenant_id`,
    operationId: 'finishOpenId',
    summary: 'Receive the provider’s answer',
    description:
      'The account’s provider sends the browser here; register this address at the provider. Each account has its own address, so that one account’s provider cannot pass on another’s answer. Drover starts the session or links the identity, then redirects to the portal. After a problem, the portal’s address has the parameter `problem`: `openid_not_linked`, `openid_failed`, `openid_expired`, `openid_cancelled`, `openid_taken` or `openid_rate_limited`. With `openid=code`, the portal asks for the code of the second factor.',
    query: OpenIdCallbackQuery,
    answers: { 303: { description: 'A redirect to the portal, in every case.' } },
    refusals: [],
    async handle({ deps, params, request }) {
      const older = personToken(request)
      const outcome = await finishOpenId(
        deps,
        {
          answer: { accountId: params.tenant_id as string, search: searchOf(request) },
          cookie: findCookie(request, openIdCookieName('request')),
          person: older === null ? null : await personEnrolling(deps, older).catch(() => null),
          visitor: toVisitor(request),
        },
        { logIn: recordOf(deps, request, 'logInWithOpenId'), link: recordOf(deps, request, 'linkOpenId') },
      )
      // Ends the browser’s previous session, because someone else may know its token (session fixation).
      if (outcome.kind === 'logged_in' && older !== null) await endUserSession(deps, older)
      return toRedirect(deps, outcome)
    },
  }),
  openEndpoint({
    ...shared,
    method: 'POST',
    url: `${URL_OF_ALL}/complete`,
    operationId: 'completeOpenId',
    summary: 'Complete a login with a second-factor code',
    description:
      'Required if the user has a second factor here, unless the provider reports that it checked several factors (an `amr` that contains `mfa`, RFC 8176).',
    body: CompleteOpenIdBody,
    example: { code: '123456' },
    exampleCall: { status: { code: 410, because: 'no login is waiting for a code in this browser' } },
    answers: { 200: { description: 'The user is logged in.', schema: CompleteOpenIdAnswer } },
    refusals: ['openid_expired', 'invalid_second_factor', 'rate_limited', 'cross_site_request'],
    async handle({ deps, body, request, audit }) {
      refuseOtherSites(deps, request)
      const session = await completeOpenId(
        deps,
        {
          cookie: findCookie(request, openIdCookieName('pending')),
          code: body.code,
          visitor: toVisitor(request),
          proofOf: (userId) => deviceProof(request, userId),
        },
        audit.record,
      )
      const older = personToken(request)
      if (older !== null) await endUserSession(deps, older)
      return {
        ...json(200, { data: { return_to: session.returnTo } }),
        cookies: [...sessionCookies(session), deletedOpenIdCookie('pending')],
      }
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'POST',
    url: `${URL_OF_ALL}/unlink`,
    operationId: 'unlinkOpenId',
    summary: 'Unlink your identity at the provider',
    description:
      'Requires the user’s password, and a code if they have a second factor. The user’s other sessions end. From then on, the user logs in with their password.',
    body: UnlinkOpenIdBody,
    example: { password: 'the current password' },
    exampleCall: {
      headers: OWN_SESSION,
      status: { code: 401, because: 'only the user knows their password' },
    },
    answers: { 204: { description: 'The identity is unlinked.' } },
    refusals: [
      'unauthorized',
      'not_found',
      'invalid_credentials',
      'second_factor_required',
      'invalid_second_factor',
      'rate_limited',
      'cross_site_request',
    ],
    async handle(ask) {
      const { person, token } = await ownSession(ask)
      await unlinkOpenId(ask.deps, person, { ...ask.body, token }, recordAsPerson(ask, person))
      return { status: 204, body: '' }
    },
  }),
]

/** Always within the portal: `returnTo` was checked when it was sealed. */
function toRedirect({ publicUrl }: HttpDeps, outcome: OpenIdOutcome): HttpResponse {
  const to = (path: string, cookies: readonly string[] = []): HttpResponse => ({
    status: 303,
    headers: { location: `${publicUrl}${path}` },
    cookies: [deletedOpenIdCookie('request'), ...cookies],
    body: '',
  })
  switch (outcome.kind) {
    case 'logged_in':
      return to(outcome.returnTo, sessionCookies(outcome.session))
    case 'linked':
      return to(outcome.returnTo)
    case 'code_needed': {
      const query = new URLSearchParams({ tenant_id: outcome.accountId, openid: 'code' })
      return to(`/portal/log-in?${query}`, [openIdCookie('pending', outcome.cookie)])
    }
    case 'problem': {
      const { problem, accountId } = outcome
      const query = new URLSearchParams({ problem, ...(accountId === null ? {} : { tenant_id: accountId }) })
      return to(`/portal/log-in?${query}`)
    }
  }
}

function sessionCookies({ token, proof, user }: OpenedSession): string[] {
  return [personCookie(token, SESSION_LIFE_MS), deviceCookie(user.userId, proof)]
}

function toVisitor(request: FastifyRequest): Visitor {
  return {
    network: rateLimitKey(request.ip),
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  }
}

/** As the provider sent it: the library reads the whole answer. */
function searchOf({ url }: FastifyRequest): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at)
}

/** A GET has no audit row of its own, but the provider sends people back with one. */
function recordOf(deps: HttpDeps, { ip, id: requestId }: FastifyRequest, action: string) {
  const act: Act = { kind: 'link', actor: '', action, ip, requestId }
  return recorder(deps, act)
}
