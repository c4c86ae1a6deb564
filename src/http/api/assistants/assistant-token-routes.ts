import { z } from 'zod'
import { OAUTH_SCOPE_OF_ACCESS, OAUTH_SCOPES } from '../../../domain/people/assistant-access.ts'
import { isMcpAddress, toIssuer, toMcpAddress } from '../../../operations/assistants/addresses.ts'
import {
  exchangeAssistantCode,
  refreshAssistantTokens,
  type TokenOutcome,
} from '../../../operations/assistants/assistant-tokens.ts'
import { recorder } from '../../../operations/audit/audit.ts'
import {
  type Endpoint,
  type HttpResponse,
  json,
  openEndpoint,
  type RequestContext,
} from '../../contract/endpoint.ts'
import { makeCheck } from '../../input/validate.ts'
import {
  AssistantTokenAnswer,
  AssistantTokenBody,
  AssistantTokenError,
  ResourceMetadata,
  ServerMetadata,
  type TOKEN_ERRORS,
} from './assistants-schema.ts'

/** Clients look for the metadata of `…/mcp?tools=write` with its query. */
const MetadataQuery = z.strictObject({ tools: z.enum(['read', 'write']).optional() })
const shared = { access: 'public', tag: 'Tokens' } as const

/** The OAuth 2.1 authorization server of an account, for assistants at its MCP endpoint. */
export function assistantTokenEndpoints(): Endpoint[] {
  const mistakesOf = makeCheck(AssistantTokenBody)
  return [
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/.well-known/oauth-protected-resource/:tenant_id/mcp',
      operationId: 'getMcpResourceMetadata',
      summary: 'Get the metadata of an MCP endpoint',
      description: 'RFC 9728. The response is the same whether or not the account exists.',
      query: MetadataQuery,
      answers: { 200: { description: 'Where assistants get tokens.', schema: ResourceMetadata } },
      refusals: [],
      handle({ deps, params }) {
        const accountId = params.tenant_id as string
        return json(200, {
          resource: toMcpAddress(deps, accountId),
          authorization_servers: [toIssuer(deps, accountId)],
          scopes_supported: OAUTH_SCOPES,
          bearer_methods_supported: ['header'],
          resource_name: 'Drover',
          resource_documentation: `${deps.publicUrl}/docs/guides/mcp`,
        })
      },
    }),
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/.well-known/oauth-authorization-server/:tenant_id',
      operationId: 'getAuthorizationServerMetadata',
      summary: 'Get the metadata of an account’s authorization server',
      description: 'RFC 8414. The response is the same whether or not the account exists.',
      query: MetadataQuery,
      answers: { 200: { description: 'The endpoints and what they support.', schema: ServerMetadata } },
      refusals: [],
      handle({ deps, params }) {
        const accountId = params.tenant_id as string
        const issuer = toIssuer(deps, accountId)
        return json(200, {
          issuer,
          authorization_endpoint: `${deps.publicUrl}/portal/connect/${encodeURIComponent(accountId)}`,
          token_endpoint: `${issuer}/oauth/token`,
          response_types_supported: ['code'],
          response_modes_supported: ['query'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_methods_supported: ['none'],
          code_challenge_methods_supported: ['S256'],
          scopes_supported: OAUTH_SCOPES,
          authorization_response_iss_parameter_supported: true,
          service_documentation: `${deps.publicUrl}/docs/guides/mcp`,
        })
      },
    }),
    openEndpoint({
      ...shared,
      method: 'POST',
      url: '/:tenant_id/oauth/token',
      operationId: 'createAssistantToken',
      unaudited:
        'The person’s consent has a row of its own. So does the end of a grant whose code or token may have been stolen.',
      summary: 'Get tokens for an assistant',
      description:
        'OAuth 2.1 for public clients: exchanges an authorization code (RFC 6749 section 4.1.3, with PKCE) or a refresh token. Accepts a form or JSON. A code that is used twice, or a refresh token that is used more than ten seconds after it was replaced, ends the assistant’s access, and so does a code that is expired or sent with another client, redirect URL or verifier. The access token is valid at the MCP endpoint only.',
      // RFC 6749, section 3.2: unknown parameters are ignored.
      query: z.looseObject({}),
      bodyForm: 'form',
      documentedBody: AssistantTokenBody,
      example: { grant_type: 'refresh_token', client_id: '$ASSISTANT_ID', refresh_token: 'drf_…' },
      exampleCall: { status: { code: 400, because: 'no assistant has a refresh token of the demo account' } },
      answers: {
        200: {
          description: 'An access token for one hour, and the next refresh token.',
          schema: AssistantTokenAnswer,
        },
        400: {
          description: 'The request, the code or the refresh token is not valid.',
          schema: AssistantTokenError,
        },
      },
      refusals: [],
      async handle(ask) {
        const { deps, params, body, request } = ask
        const accountId = params.tenant_id as string
        const [mistake] = [...(request.bodyIssues ?? []), ...mistakesOf(body)]
        if (mistake?.field === 'grant_type' && mistake.issue === 'invalid_value')
          return refuseToken('unsupported_grant_type', mistake.message)
        if (mistake) return refuseToken('invalid_request', mistake.message)
        const asked = body as z.infer<typeof AssistantTokenBody>
        if (asked.resource !== undefined && !isMcpAddress(deps, accountId, asked.resource))
          return refuseToken('invalid_target', `The resource is ${toMcpAddress(deps, accountId)}.`)
        const outcome = await exchange(ask, accountId, asked)
        if (!outcome) return refuseToken('invalid_request', MISSING[asked.grant_type])
        if (outcome.kind === 'invalid_grant') {
          if (outcome.ended) await recordEnd(ask, accountId, outcome.ended)
          return refuseToken('invalid_grant', NOT_VALID)
        }
        const { accessToken, refreshToken, expiresInSeconds, grant } = outcome.tokens
        return json(200, {
          access_token: accessToken,
          token_type: 'Bearer',
          expires_in: expiresInSeconds,
          refresh_token: refreshToken,
          scope: OAUTH_SCOPE_OF_ACCESS[grant.access],
        })
      },
    }),
  ]
}

/** Null: a parameter of the grant type is missing. */
async function exchange(
  { deps }: Pick<RequestContext, 'deps'>,
  accountId: string,
  asked: z.infer<typeof AssistantTokenBody>,
): Promise<TokenOutcome | null> {
  const { client_id: assistantId, code, redirect_uri: redirectUrl, code_verifier: codeVerifier } = asked
  if (asked.grant_type === 'refresh_token') {
    const { refresh_token: refreshToken } = asked
    return refreshToken ? refreshAssistantTokens(deps, { accountId, assistantId, refreshToken }) : null
  }
  if (!code || !redirectUrl || !codeVerifier) return null
  return exchangeAssistantCode(deps, { accountId, assistantId, redirectUrl, code, codeVerifier })
}

type Ended = NonNullable<Extract<TokenOutcome, { kind: 'invalid_grant' }>['ended']>

/** The audit row of a grant that has ended because its code or refresh token may have been stolen. */
async function recordEnd(
  { deps, request }: Pick<RequestContext, 'deps' | 'request'>,
  accountId: string,
  { grantId, userId, why }: Ended,
): Promise<void> {
  const { ip, id: requestId } = request
  const act = { kind: 'user', actor: userId, action: 'createAssistantToken', ip, requestId } as const
  await recorder(deps, act)(deps.db, { accountId, object: grantId, after: { ended: why } })
}

const MISSING = {
  authorization_code: 'code, redirect_uri and code_verifier are required.',
  refresh_token: 'refresh_token is required.',
} as const

const NOT_VALID =
  'The code or refresh token is not valid: it is unknown, expired, used before, or was issued to another client or redirect URL. Connect the assistant again.'

function refuseToken(error: (typeof TOKEN_ERRORS)[number], description: string): HttpResponse {
  return json(400, { error, error_description: description })
}
