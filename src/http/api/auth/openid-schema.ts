import { z } from 'zod'
import { textFields } from '../../input/text-fields.ts'
import { codeText } from '../fields/text.ts'
import { ownCredentials } from '../people/people-schema.ts'

const tenantId = codeText(63).meta({ description: 'The id of the account.' })

export const OpenIdQuery = z.strictObject({ tenant_id: tenantId })

export const OpenIdProviderAnswer = z
  .strictObject({
    data: z.strictObject({
      provider: z
        .strictObject({ name: z.string() })
        .nullable()
        .meta({ description: 'Null: users of this account log in with their passwords.' }),
      redirect_url: z
        .string()
        .meta({ description: 'The account’s redirect URL, to register with the provider.' }),
    }),
  })
  .meta({ id: 'OpenIdProviderAnswer' })

export const StartOpenIdBody = z
  .strictObject({
    tenant_id: tenantId,
    purpose: z.enum(['log_in', 'link']).meta({
      description: '`link`: links the user’s identity at the provider to the user who is logged in.',
    }),
    return_to: z
      .string()
      // An assistant's authorization request is such a page.
      .max(1_500)
      .register(textFields, { textClass: 'code' })
      .regex(/^\/portal(?:[/?][A-Za-z0-9/?&=._~%+-]*)?$/)
      .meta({ 'x-rule': 'must be a path that begins with /portal' })
      .optional()
      .meta({ description: 'The page of the portal that opens afterwards.' }),
    password: ownCredentials.password.meta({
      description: 'The user’s own password. Required for `link`.',
    }),
    code: ownCredentials.code.meta({
      description:
        'A code from the user’s authenticator app, or a recovery code. Required for `link` if the user has a second factor.',
    }),
  })
  .meta({ id: 'OpenIdRequest' })

export const StartOpenIdAnswer = z
  .strictObject({
    data: z.strictObject({
      url: z.string().meta({ description: 'The provider’s page. Open it in the same browser.' }),
    }),
  })
  .meta({ id: 'OpenIdStartAnswer' })

const answered = (max: number) => codeText(max).optional()

/** RFC 6749, 4.1.2: a client ignores parameters that it does not know. */
export const OpenIdCallbackQuery = z.looseObject({
  code: answered(4_000),
  state: answered(200),
  error: answered(200),
  iss: answered(500).meta({ description: 'RFC 9207.' }),
})

export const CompleteOpenIdBody = z.strictObject({ code: codeText(40) }).meta({ id: 'OpenIdCompletion' })

export const CompleteOpenIdAnswer = z
  .strictObject({
    data: z.strictObject({
      return_to: z.string().meta({ description: 'The page of the portal to open.' }),
    }),
  })
  .meta({ id: 'OpenIdCompletedAnswer' })

export const UnlinkOpenIdBody = z
  .strictObject({
    password: ownCredentials.password.unwrap().meta({ description: 'The user’s own password.' }),
    code: ownCredentials.code.meta({
      description:
        'A code from the user’s authenticator app, or a recovery code. Required if the user has a second factor.',
    }),
  })
  .meta({ id: 'OpenIdUnlinking' })
