import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SCOPES } from '../../../operations/directory/caller.ts'
import { issueToken } from '../../../operations/tokens/access-token.ts'
import { type Limit, makeBuckets, rateLimitKey, take, tooMany } from '../../admission/rate-limit.ts'
import { type Endpoint, type HttpResponse, json, openEndpoint } from '../../contract/endpoint.ts'
import { makeCheck } from '../../input/validate.ts'
import { TOKEN_EXAMPLE } from '../fields/examples.ts'

const secretText = z.string().min(1).max(200)

// Ignores unknown parameters, as RFC 6749 section 3.2 requires: clients send `audience` and others.
export const TokenRequestBody = z
  .looseObject({
    grant_type: z.literal('client_credentials'),
    client_id: secretText.optional().meta({
      description: 'The client’s id, unless you send it in the HTTP Basic header.',
      examples: ['demo-client'],
    }),
    client_secret: secretText.optional().meta({ examples: ['demo-secret'] }),
    scope: z
      .string()
      .max(500)
      .optional()
      .meta({
        description: `The scopes that the client requests, separated by spaces. Possible scopes: ${SCOPES.join(', ')}. Absent: all scopes of the client.`,
      }),
  })
  .meta({ id: 'TokenRequest' })
type TokenRequestBody = z.infer<typeof TokenRequestBody>

const TokenAnswer = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'The token’s lifetime in seconds.', examples: [3600] }),
    scope: z.string(),
  })
  .meta({ id: 'TokenAnswer' })

const TokenError = z
  .strictObject({
    error: z.enum(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope']),
    error_description: z.string(),
  })
  .meta({ id: 'TokenError', description: 'An error response according to RFC 6749 section 5.2.' })

/** Rate limit (token bucket) of wrong secrets for each client and IP address: 20 at once, refilled in a minute. */
const WRONG_SECRETS: Limit = { perSecond: 20 / 60, burst: 20 }

export function tokenEndpoints(): Endpoint[] {
  const wrongSecrets = makeBuckets(50_000)
  const mistakesOf = makeCheck(TokenRequestBody)

  return [
    openEndpoint({
      method: 'POST',
      url: '/:tenant_id/auth/token',
      operationId: 'createToken',
      unaudited: 'Drover does not store tokens.',
      access: 'public',
      tag: 'Tokens',
      summary: 'Get a bearer token',
      description:
        'OAuth 2.0 client credentials (RFC 6749 section 4.4). Accepts a form or JSON. Send the client id and secret in the body or in the HTTP Basic header.',
      // RFC 6749, section 3.2: unknown parameters are ignored.
      query: z.looseObject({}),
      bodyForm: 'form',
      documentedBody: TokenRequestBody,
      example: TOKEN_EXAMPLE,
      answers: {
        200: { description: 'A token that is valid for one hour.', schema: TokenAnswer },
        400: {
          description: 'The request is not a valid token request, or the client lacks the scope.',
          schema: TokenError,
        },
        401: { description: 'The client is unknown, or the secret is wrong.', schema: TokenError },
      },
      refusals: ['rate_limited'],
      async handle({ deps, params, body, request }) {
        const [unreadable] = request.bodyIssues ?? []
        if (unreadable) return refuse('invalid_request', unreadable.message)
        const credentials = {
          ...(body as object),
          ...readBasicCredentials(request),
        } as Partial<TokenRequestBody>
        if (credentials.grant_type !== 'client_credentials') {
          return credentials.grant_type === undefined
            ? refuse('invalid_request', 'grant_type is required.')
            : refuse('unsupported_grant_type', 'grant_type must be client_credentials.')
        }
        const [mistake] = mistakesOf(credentials)
        if (mistake) return refuse('invalid_request', mistake.message)
        const { client_id: clientId = '', client_secret: clientSecret = '', scope = null } = credentials

        const tenantId = params.tenant_id as string
        const nowMs = Date.now()
        const bucketName = `${tenantId} ${clientId} ${rateLimitKey(request.ip)}`
        const bucket = wrongSecrets(bucketName, WRONG_SECRETS, nowMs)
        const wait = take(bucket, WRONG_SECRETS, nowMs)
        if (wait > 0) throw tooMany(wait, 'wrong secrets')

        const answer = issueToken(deps, await deps.accounts.find(tenantId), { clientId, clientSecret, scope })
        if (answer.kind === 'invalid_client') {
          return refuse('invalid_client', 'There is no such client, or the secret is wrong.', request)
        }
        // Only wrong secrets count against the limit.
        bucket.tokens += 1
        if (answer.kind === 'invalid_scope') {
          return refuse('invalid_scope', `The client does not have the scope "${answer.scope}".`)
        }
        return json(200, {
          access_token: answer.token,
          token_type: 'Bearer',
          expires_in: answer.expiresInSeconds,
          scope: answer.scopes.join(' '),
        })
      },
    }),
  ]
}

function refuse(error: string, description: string, request?: FastifyRequest): HttpResponse {
  const challenge: Record<string, string> = request ? { 'www-authenticate': 'Basic realm="drover"' } : {}
  return json(request ? 401 : 400, { error, error_description: description }, challenge)
}

/** HTTP Basic according to RFC 6749 section 2.3.1: both halves are form-encoded. */
function readBasicCredentials(request: FastifyRequest): { client_id?: string; client_secret?: string } {
  const header = request.headers.authorization
  if (header === undefined || header.slice(0, 6).toLowerCase() !== 'basic ') return {}
  const text = Buffer.from(header.slice(6), 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return {}
  return { client_id: formDecoded(text.slice(0, colon)), client_secret: formDecoded(text.slice(colon + 1)) }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
