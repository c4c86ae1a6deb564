import type { z } from 'zod'
import {
  type AuthorizationRequest,
  allowAssistant,
  openAuthorization,
} from '../../../operations/assistants/authorization.ts'
import { endOwnAssistant, listOwnAssistants } from '../../../operations/assistants/own-assistants.ts'
import { getPerson, personEnrolling } from '../../../operations/people/user-session.ts'
import { ownSession, recordAsPerson } from '../../admission/own-session.ts'
import { personToken } from '../../admission/person-admission.ts'
import { refuseRidden } from '../../admission/same-origin.ts'
import { type Endpoint, json, openEndpoint, wholeList } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { OWN_SESSION, OWN_SESSION_ENDPOINT } from '../people/own-session-endpoint.ts'
import {
  AllowBody,
  AllowedAnswer,
  AuthorizationAnswer,
  AuthorizationQuery,
  OwnAssistantsAnswer,
} from './assistants-schema.ts'

const ALL = '/session/assistants'

const EXAMPLE = {
  tenant_id: 'demo',
  response_type: 'code',
  client_id: '$ASSISTANT_ID',
  redirect_uri: 'https://assistant.example.com/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
} as const

/** The page on which a person allows an assistant to act in their name, and the list of those that they have allowed. */
export const OWN_ASSISTANT_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'GET',
    url: `${ALL}/request`,
    operationId: 'getAssistantRequest',
    summary: 'Read an assistant’s authorization request',
    description:
      'For the page of the portal to which an assistant sends the browser. If the request is wrong, the person sees an error, and the browser is not redirected.',
    query: AuthorizationQuery,
    exampleCall: {
      headers: OWN_SESSION,
      query: Object.entries(EXAMPLE)
        .map(([name, value]) => `${name}=${value}`)
        .join('&'),
    },
    answers: { 200: { description: 'What the person decides on.', schema: AuthorizationAnswer } },
    refusals: ['unauthorized', 'not_found', 'second_factor_setup_required'],
    async handle({ deps, query, request }) {
      const person = await getPerson(deps, personToken(request))
      const asked = toRequest(query)
      const { assistant, access, denialUrl } = await openAuthorization(deps, person, asked)
      const entry = await deps.accounts.find(asked.accountId)
      return json(200, {
        data: {
          assistant: { id: assistant.assistantId, name: assistant.name },
          account_name: entry?.account.name ?? asked.accountId,
          redirect_host: new URL(asked.redirectUrl).host,
          access,
          denial_url: denialUrl,
        },
      })
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'POST',
    url: ALL,
    operationId: 'allowAssistant',
    summary: 'Allow an assistant to act in your name',
    description:
      'Returns the redirect URL with an authorization code. The access ends after 30 days without use, when the assistant is removed, when you end it, set a new password or get another role, or when you are disabled.',
    body: AllowBody,
    example: { ...EXAMPLE, access: 'read', password: 'demo-admin-1' },
    exampleCall: { headers: OWN_SESSION },
    answers: { 200: { description: 'The address to open.', schema: AllowedAnswer } },
    refusals: [
      'unauthorized',
      'not_found',
      'second_factor_setup_required',
      'invalid_credentials',
      'second_factor_required',
      'invalid_second_factor',
      'rate_limited',
      'cross_site_request',
    ],
    async handle(ask) {
      const { deps, body, request } = ask
      refuseRidden(deps, request)
      const person = await getPerson(deps, personToken(request))
      const { access, password, code } = body
      const allowed = { ...toRequest(body), access, credentials: { password, code } }
      const redirectUrl = await allowAssistant(deps, person, allowed, recordAsPerson(ask, person))
      return json(200, { data: { redirect_url: redirectUrl } })
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'GET',
    url: ALL,
    operationId: 'listOwnAssistants',
    summary: 'List the assistants that act in your name',
    exampleCall: { headers: OWN_SESSION },
    answers: {
      200: { description: 'The assistants; the one used last comes first.', schema: OwnAssistantsAnswer },
    },
    refusals: ['unauthorized'],
    async handle({ deps, request }) {
      const person = await personEnrolling(deps, personToken(request))
      const grants = await listOwnAssistants(deps, person)
      return wholeList(
        grants.map(({ grantId, assistantName, access, createdAtMs, usedAtMs }) => ({
          id: grantId,
          name: assistantName,
          access,
          created_at: recordTime(createdAtMs),
          last_used_at: recordTime(usedAtMs),
        })),
      )
    },
  }),
  openEndpoint({
    ...OWN_SESSION_ENDPOINT,
    method: 'DELETE',
    url: `${ALL}/:grant_id`,
    operationId: 'endOwnAssistant',
    summary: 'End the access of an assistant that acts in your name',
    exampleCall: {
      headers: OWN_SESSION,
      path: { grant_id: 'gra_01kax3v8y2m4s6t8w0z2b4d6f8' },
      status: { code: 404, because: 'no assistant is connected to the demo account' },
    },
    answers: { 204: { description: 'The access has ended in every process.' } },
    refusals: ['unauthorized', 'not_found', 'cross_site_request'],
    async handle(ask) {
      const { person } = await ownSession(ask)
      await endOwnAssistant(ask.deps, person, ask.params.grant_id as string, recordAsPerson(ask, person))
      return { status: 204, body: '' }
    },
  }),
]

function toRequest(asked: z.infer<typeof AuthorizationQuery>): AuthorizationRequest {
  return {
    accountId: asked.tenant_id,
    assistantId: asked.client_id,
    redirectUrl: asked.redirect_uri,
    codeChallenge: asked.code_challenge,
    scope: asked.scope ?? null,
    state: asked.state ?? null,
    resource: asked.resource ?? null,
  }
}
