import { z } from 'zod'
import { Refusal } from '../../../domain/errors.ts'
import { checkCarrier } from '../../../operations/carriers/check-carrier.ts'
import { type Endpoint, json, openEndpoint, tenantEndpoint } from '../../contract/endpoint.ts'

const CheckAnswer = z
  .strictObject({
    data: z.strictObject({
      provider: z.string(),
      name: z.string(),
      ok: z.boolean(),
      message: z.string().meta({
        description:
          'How the carrier identifies the account. If the check failed: what is wrong and how to correct it.',
      }),
    }),
  })
  .meta({ id: 'CarrierCheckAnswer' })

const shared = {
  method: 'POST',
  tag: 'Carriers',
  summary: 'Check the connection to a carrier',
  description: 'Sends the carrier the cheapest request that needs the account’s credentials. Books nothing.',
  answers: { 200: { description: 'Whether the connection works.', schema: CheckAnswer } },
  idempotency: 'none',
} as const

export const CARRIER_CHECK_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...shared,
    url: '/admin/accounts/:tenant_id/carriers/:provider/check',
    operationId: 'checkCarrierOfAccount',
    access: 'operator',
    refusals: ['not_found'],
    async handle({ deps, params }) {
      const entry = deps.accounts.find(params.tenant_id as string)
      if (!entry) throw new Refusal('not_found', `There is no account ${params.tenant_id}.`)
      return json(200, { data: await checkCarrier(deps, entry, params.provider as string) })
    },
  }),
  tenantEndpoint({
    ...shared,
    url: '/:tenant_id/carriers/:provider/check',
    operationId: 'checkCarrier',
    access: 'account',
    refusals: ['not_found'],
    async handle({ deps, entry, params }) {
      return json(200, { data: await checkCarrier(deps, entry, params.provider as string) })
    },
  }),
]
