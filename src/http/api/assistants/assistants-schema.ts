import { z } from 'zod'
import { ASSISTANT_ACCESSES, OAUTH_SCOPES } from '../../../domain/people/assistant-access.ts'
import { MAX_REDIRECT_URL } from '../../../operations/assistants/redirect-url.ts'
import { makeListSchema } from '../fields/pagination.ts'
import { spentTodayCents } from '../fields/spent-today.ts'
import { codeText, lineText, recordTime } from '../fields/text.ts'
import { ownCredentials } from '../people/people-schema.ts'

const name = lineText(100).meta({
  description: 'The name that people see when they connect the assistant. Use the name that they know it by.',
})
const redirectUrls = z
  .array(codeText(MAX_REDIRECT_URL))
  .min(1)
  .max(10)
  .meta({
    description:
      'The redirect URLs, exactly as in the assistant’s documentation (it may call them callback URLs): `https://…`, or `http://127.0.0.1…` and `http://localhost…` for a program on the person’s machine.',
    examples: [['https://assistant.example.com/callback']],
  })

export const AssistantBody = z
  .strictObject({ name, redirect_urls: redirectUrls })
  .meta({ id: 'AssistantRequest' })

export const AssistantPatchBody = z
  .strictObject({ name: name.optional(), redirect_urls: redirectUrls.optional() })
  .meta({ id: 'AssistantChange' })

const Assistant = z
  .strictObject({
    id: z.string().meta({ description: 'The OAuth `client_id` (`ast_…`).' }),
    name: z.string(),
    redirect_urls: z.array(z.string()),
    created_at: recordTime,
    mcp_spent_today_cents: spentTodayCents,
  })
  .meta({ id: 'Assistant' })

export const AssistantAnswer = z.strictObject({ data: Assistant }).meta({ id: 'AssistantAnswer' })
export const AssistantsAnswer = makeListSchema(Assistant).meta({ id: 'AssistantsAnswer' })

const access = z.enum(ASSISTANT_ACCESSES).meta({
  description: '`read`: read only. `write`: also plan changes and make them.',
})

const request = {
  tenant_id: codeText(63).meta({ description: 'The account, from the address of the page.' }),
  response_type: z.literal('code'),
  client_id: codeText(100).meta({ description: 'The id of the assistant (`ast_…`).' }),
  redirect_uri: codeText(MAX_REDIRECT_URL).meta({
    description: 'One of the assistant’s redirect URLs.',
  }),
  code_challenge: codeText(43)
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .meta({
      description: 'PKCE (RFC 7636).',
      'x-rule': 'must be a SHA-256 as base64url: 43 letters, digits, - and _',
    }),
  code_challenge_method: z.literal('S256'),
  scope: codeText(500)
    .optional()
    .meta({ description: `Of ${OAUTH_SCOPES.map((one) => `\`${one}\``).join(' and ')}. Absent: both.` }),
  state: codeText(2_000).optional(),
  resource: codeText(500)
    .optional()
    .meta({ description: 'RFC 8707: the address of the account’s MCP endpoint.' }),
}

export const AuthorizationQuery = z.strictObject(request)

export const AuthorizationAnswer = z
  .strictObject({
    data: z.strictObject({
      assistant: z.strictObject({ id: z.string(), name: z.string() }),
      account_name: z.string(),
      redirect_host: z.string().meta({ description: 'The host that receives the access.' }),
      access: access.meta({ description: 'The most that the person can allow.' }),
      denial_url: z.string().meta({ description: 'Where the browser goes if the person refuses.' }),
    }),
  })
  .meta({ id: 'AssistantAuthorizationAnswer' })

export const AllowBody = z
  .strictObject({
    ...request,
    access,
    password: ownCredentials.password.unwrap().meta({ description: 'The person’s own password.' }),
    code: ownCredentials.code.meta({
      description:
        'A code from the person’s authenticator app, or a recovery code. Required if they have a second factor.',
    }),
  })
  .meta({ id: 'AssistantAuthorization' })

export const AllowedAnswer = z
  .strictObject({
    data: z.strictObject({
      redirect_url: z.string().meta({ description: 'Takes the browser, with the code, to the assistant.' }),
    }),
  })
  .meta({ id: 'AssistantAllowedAnswer' })

export const OwnAssistantsAnswer = makeListSchema(
  z
    .strictObject({
      id: z.string(),
      name: z.string(),
      access,
      created_at: recordTime,
      last_used_at: recordTime.meta({ description: 'To the minute.' }),
    })
    .meta({ id: 'OwnAssistant' }),
).meta({ id: 'OwnAssistantsAnswer' })

// Unknown parameters are ignored, as RFC 6749 section 3.2 requires.
export const AssistantTokenBody = z
  .looseObject({
    grant_type: z.enum(['authorization_code', 'refresh_token']),
    client_id: codeText(100).meta({ description: 'The id of the assistant (`ast_…`).' }),
    code: codeText(100)
      .optional()
      .meta({ description: 'For `authorization_code`. Valid once, for 60 seconds.' }),
    redirect_uri: codeText(MAX_REDIRECT_URL).optional().meta({
      description: 'For `authorization_code`: the same redirect URL as in the authorization request.',
    }),
    code_verifier: codeText(128).optional().meta({ description: 'For `authorization_code` (RFC 7636).' }),
    refresh_token: codeText(1_000)
      .optional()
      .meta({ description: 'For `refresh_token`. Valid once: each response has the next one.' }),
    resource: codeText(500)
      .optional()
      .meta({ description: 'RFC 8707: the address of the account’s MCP endpoint.' }),
  })
  .meta({ id: 'AssistantTokenRequest' })

export const AssistantTokenAnswer = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'The token’s lifetime in seconds.', examples: [3600] }),
    refresh_token: z.string(),
    scope: z.string(),
  })
  .meta({ id: 'AssistantTokenAnswer' })

export const TOKEN_ERRORS = [
  'invalid_request',
  'invalid_grant',
  'invalid_target',
  'unsupported_grant_type',
] as const

export const AssistantTokenError = z
  .strictObject({ error: z.enum(TOKEN_ERRORS), error_description: z.string() })
  .meta({ id: 'AssistantTokenError', description: 'An error response according to RFC 6749 section 5.2.' })

export const ResourceMetadata = z
  .strictObject({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
    resource_documentation: z.string(),
  })
  .meta({ id: 'ProtectedResourceMetadata' })

export const ServerMetadata = z
  .strictObject({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.literal(true),
    service_documentation: z.string(),
  })
  .meta({ id: 'AuthorizationServerMetadata' })
