import { z } from 'zod'
import { SCOPES } from '../../../operations/context/caller.ts'

const secretText = z.string().min(1).max(200)

// Ignores unknown parameters, as RFC 6749 section 3.2 requires: clients send `audience` and others.
export const TokenRequestBody = z
  .looseObject({
    grant_type: z.literal('client_credentials'),
    client_id: secretText
      .optional()
      .meta({ description: 'The client’s id, unless it is sent in HTTP Basic.', examples: ['demo-client'] }),
    client_secret: secretText.optional().meta({ examples: ['demo-secret'] }),
    scope: z
      .string()
      .max(500)
      .optional()
      .meta({
        description: `The requested scopes of ${SCOPES.join(', ')}, separated by spaces. Absent: all scopes of the client.`,
      }),
  })
  .meta({ id: 'TokenRequest' })
export type TokenRequestBody = z.infer<typeof TokenRequestBody>

export const TokenAnswer = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'The token’s lifetime in seconds.', examples: [3600] }),
    scope: z.string(),
  })
  .meta({ id: 'TokenAnswer' })

export const TokenError = z
  .strictObject({
    error: z.enum(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope']),
    error_description: z.string(),
  })
  .meta({ id: 'TokenError', description: 'An error response according to RFC 6749 section 5.2.' })
