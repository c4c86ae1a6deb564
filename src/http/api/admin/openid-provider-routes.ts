import { z } from 'zod'
import { ISSUER } from '../../../domain/account/document/primitives.ts'
import { Refusal } from '../../../domain/errors.ts'
import { checkOpenIdProvider } from '../../../operations/accounts/check-openid-provider.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'
import { textFields } from '../../input/text-fields.ts'
import { requireGrant } from './require-grant.ts'

const CheckBody = z
  .strictObject({
    issuer: z
      .string()
      .max(200)
      .register(textFields, { textClass: 'code' })
      .regex(ISSUER)
      .meta({ 'x-rule': 'must be the issuer’s https:// address' }),
  })
  .meta({ id: 'OpenIdCheckRequest' })

const CheckAnswer = z
  .strictObject({
    data: z.strictObject({
      ok: z.boolean(),
      message: z.string().meta({ description: 'If the check failed: the problem and how to correct it.' }),
    }),
  })
  .meta({ id: 'OpenIdCheckAnswer' })

export const OPENID_PROVIDER_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'POST',
    url: '/admin/accounts/:tenant_id/openid-connect/check',
    operationId: 'checkOpenIdProvider',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Check an OpenID Connect provider',
    description:
      'Reads the provider’s discovery document and compares its issuer with yours. Check a provider before you add it to the account document. Merchant admins need the grant `sign_in`.',
    body: CheckBody,
    example: { issuer: 'https://login.acme.example' },
    answers: { 200: { description: 'Whether Drover can use the provider.', schema: CheckAnswer } },
    refusals: ['not_found', 'not_granted'],
    idempotency: 'none',
    unaudited: 'It reads a public document and changes nothing.',
    async handle(ask) {
      await requireGrant(
        ask,
        'sign_in',
        'Ask your implementation partner to set up this login, or to let you set it up yourself.',
      )
      const { deps, params, body } = ask
      if (!deps.accounts.head(params.tenant_id as string))
        throw new Refusal('not_found', `There is no account ${params.tenant_id}.`)
      return json(200, { data: await checkOpenIdProvider(deps, body.issuer) })
    },
  }),
]
