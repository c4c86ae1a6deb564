import { z } from 'zod'
import { SCOPES } from '../../../operations/context/caller.ts'

const secretText = z.string().min(1).max(200)

// Parameters that are not known are ignored, as RFC 6749 section 3.2 demands: clients send `audience` and more.
export const TokenRequestBody = z
  .looseObject({
    grant_type: z.literal('client_credentials'),
    client_id: secretText.optional().meta({ description: 'Or in HTTP Basic.', examples: ['demo-client'] }),
    client_secret: secretText.optional().meta({ examples: ['demo-secret'] }),
    scope: z
      .string()
      .max(500)
      .optional()
      .meta({
        description: `Some of ${SCOPES.join(', ')}, parted by spaces. All that the client has, where absent.`,
      }),
  })
  .meta({ id: 'TokenRequest' })
export type TokenRequestBody = z.infer<typeof TokenRequestBody>

export const TokenAnswer = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.', examples: [3600] }),
    scope: z.string(),
  })
  .meta({ id: 'TokenAnswer' })

export const TokenError = z
  .strictObject({
    error: z.enum(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope']),
    error_description: z.string(),
  })
  .meta({ id: 'TokenError', description: 'RFC 6749 section 5.2.' })
