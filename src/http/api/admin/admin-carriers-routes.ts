import { z } from 'zod'
import { Refusal } from '../../../domain/errors.ts'
import { DELIVERY_TYPES } from '../../../domain/values.ts'
import { checkCarrier, checkDraftCarrier } from '../../../operations/carriers/check-carrier.ts'
import { listCarrierCatalogue } from '../../../operations/carriers/list-carrier-catalogue.ts'
import type { AccountEntry } from '../../../operations/directory/account-directory.ts'
import {
  type Endpoint,
  json,
  openEndpoint,
  type RequestContext,
  tenantEndpoint,
  wholeList,
} from '../../contract/endpoint.ts'
import { makeListSchema } from '../fields/pagination.ts'
import { referenceText } from '../fields/text.ts'
import { requireGrant } from './require-grant.ts'

const CheckAnswer = z
  .strictObject({
    data: z.strictObject({
      provider: z.string(),
      name: z.string(),
      ok: z.boolean(),
      message: z.string().meta({
        description:
          'If the check succeeded: how the carrier identifies the account. If the check failed: the problem and how to correct it.',
      }),
    }),
  })
  .meta({ id: 'CarrierCheckAnswer' })

const CheckBody = z
  .strictObject({
    carrier: z.looseObject({ provider: referenceText(60) }).meta({
      description:
        'The carrier, in the form of the account document, before the document is applied. Store the carrier’s credentials first. Merchant admins need the grant `carriers`.',
    }),
  })
  .meta({ id: 'CarrierCheckRequest' })

const Needed = z.strictObject({
  name: z.string(),
  label: z.string(),
  hint: z.string().optional(),
  required: z.boolean(),
})
const CatalogueAnswer = makeListSchema(
  z
    .strictObject({
      id: z
        .string()
        .meta({ description: 'A value for the carrier’s `provider`, unless the account already uses it.' }),
      adapter: z.string(),
      name: z.string(),
      about: z.string(),
      area: z.string().meta({ description: 'The area in which the carrier delivers.' }),
      practice: z.boolean().meta({ description: 'A simulated carrier, for sandbox accounts.' }),
      live_prices: z.boolean().meta({ description: 'The carrier’s API can quote prices.' }),
      credentials: z.array(
        Needed.extend({
          secret: z
            .boolean()
            .meta({ description: 'True: a password or key. Drover stores all credentials encrypted.' }),
        }),
      ),
      settings: z.array(Needed).meta({ description: '`name` is the path of the setting in `settings`.' }),
      services: z
        .array(
          z.looseObject({
            service: z.string(),
            carrier_code: z.string(),
            delivery_type: z.enum(DELIVERY_TYPES),
          }),
        )
        .meta({
          description: 'The carrier’s usual services, in the form of the account document, without prices.',
        }),
    })
    .meta({ id: 'CatalogueCarrier' }),
).meta({ id: 'CarrierCatalogueAnswer' })

const shared = {
  method: 'POST',
  tag: 'Carriers',
  summary: 'Check the connection to a carrier',
  description:
    'Sends the carrier the cheapest request that needs the account’s credentials. The check books nothing.',
  answers: { 200: { description: 'Whether the connection works.', schema: CheckAnswer } },
  idempotency: 'none',
} as const

export const CARRIER_CHECK_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    ...shared,
    url: '/admin/accounts/:tenant_id/carriers/:provider/check',
    operationId: 'checkCarrierOfAccount',
    access: 'operator',
    alsoAdmin: true,
    description: `${shared.description} With \`carrier\`, Drover checks a carrier that is not in the account yet.`,
    body: CheckBody,
    bodyOptional: true,
    example: { carrier: { provider: 'swiftly' } },
    refusals: ['not_found', 'not_granted'],
    async handle(ask) {
      const { deps, params } = ask
      const provider = params.provider as string
      const draft = (ask.body as z.infer<typeof CheckBody> | undefined)?.carrier
      if (draft) await requireGrant(ask, 'carriers', NOT_GRANTED)
      // A credential may have been stored a moment ago.
      await deps.accounts.refresh()
      const entry = await knownEntry(ask)
      const check = draft
        ? await checkDraftCarrier(deps, entry, { ...draft, provider })
        : await checkCarrier(deps, entry, provider)
      return json(200, { data: check })
    },
  }),
  openEndpoint({
    method: 'GET',
    url: '/admin/accounts/:tenant_id/carrier-catalogue',
    operationId: 'listCarrierCatalogue',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Carriers',
    summary: 'List the carriers that the account can add',
    answers: {
      200: {
        description: 'Every carrier that Drover can call, with its credentials, settings and usual services.',
        schema: CatalogueAnswer,
      },
    },
    refusals: ['not_found'],
    async handle(ask) {
      const entries = listCarrierCatalogue((await knownEntry(ask)).account)
      return wholeList(
        entries.map(({ livePrices, credentials, settings, ...entry }) => ({
          ...entry,
          live_prices: livePrices,
          credentials: credentials.map(({ optional, ...one }) => ({ ...one, required: !optional })),
          settings: settings.map(({ optional, ...one }) => ({ ...one, required: !optional })),
        })),
      )
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

const NOT_GRANTED =
  'Ask your implementation partner to set up this carrier, or to let you set up carriers yourself.'

async function knownEntry({ deps, params }: Pick<RequestContext, 'deps' | 'params'>): Promise<AccountEntry> {
  const entry = await deps.accounts.find(params.tenant_id as string)
  if (!entry) throw new Refusal('not_found', `There is no account ${params.tenant_id}.`)
  return entry
}
