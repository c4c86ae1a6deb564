import { z } from 'zod'
import type { AccountEntry } from '../../operations/account-directory.ts'
import {
  type CarrierStanding,
  carrierStanding,
  switchOff,
  switchOn,
} from '../../operations/switch-carrier.ts'
import { type Endpoint, json, tenantEndpoint } from '../endpoint.ts'
import { lineText, recordTime as recordTimeText } from '../schemas/text.ts'
import { recordTime } from '../wire/delivery.ts'

const Switch = z.strictObject({
  on: z.boolean(),
  off_since: recordTimeText.optional(),
  reason: z.string().optional(),
})
const Listed = Switch.extend({ provider: z.string(), name: z.string() })
const ListAnswer = z.strictObject({ data: z.array(Listed) }).meta({ id: 'CarriersAnswer' })
const StandingAnswer = z
  .strictObject({
    data: Listed.extend({
      uncollected: z
        .array(
          z.strictObject({
            delivery_id: z.string(),
            reference: z.string(),
            store_id: z.string(),
            status: z.string(),
            consignment_number: z.string(),
            manifested: z.boolean(),
            replanning: z
              .boolean()
              .meta({ description: 'Asked back, and planned anew once the carrier lets it go.' }),
          }),
        )
        .meta({ description: 'Booked and not collected yet, oldest first, at most 1,000.' }),
      asked_back: z.int().optional(),
    }),
  })
  .meta({ id: 'CarrierStandingAnswer' })

const SwitchBody = z
  .strictObject({
    on: z.boolean(),
    reason: lineText(200).optional(),
    replan: z.boolean().optional().meta({
      description:
        'Off: also ask back what is not collected and on no manifest, to plan it anew. Unless given: the account’s `booking.replan_when_off`.',
    }),
  })
  .meta({ id: 'CarrierSwitch' })

const shared = { access: 'account', tag: 'Carriers', refusals: ['not_found'] } as const

export const CARRIER_SWITCH_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    ...shared,
    method: 'GET',
    url: '/:tenant_id/carriers',
    operationId: 'listCarriers',
    summary: 'The carriers of the account, and which are switched off',
    answers: { 200: { description: 'In the account’s order.', schema: ListAnswer } },
    refusals: [],
    handle({ entry }) {
      const data = entry.account.carriers.map(({ provider, name }) => ({
        provider,
        name,
        ...fromSwitch(entry.carriersOff.get(provider) ?? null),
      }))
      return json(200, { data })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'GET',
    url: '/:tenant_id/carriers/:provider',
    operationId: 'getCarrier',
    summary: 'A carrier, and what it has booked and not collected',
    answers: { 200: { description: 'As it stands.', schema: StandingAnswer } },
    async handle({ deps, entry, params }) {
      return json(200, { data: fromStanding(await carrierStanding(deps, entry, params.provider as string)) })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'PUT',
    url: '/:tenant_id/carriers/:provider/switch',
    operationId: 'switchCarrier',
    summary: 'Switch a carrier off or on',
    description:
      'Off: no quote offers it and nothing is booked with it; deliveries that only it could take wait. What it has already is still followed.',
    body: SwitchBody,
    answers: { 200: { description: 'As it stands now.', schema: StandingAnswer } },
    async handle({ deps, entry, params, body, audit }) {
      const provider = params.provider as string
      const { on, reason = null, replan = null } = body
      audit.note({ after: { on, reason } })
      const standing = on
        ? await switchOn(deps, entry, provider)
        : await switchOff(deps, entry, provider, { reason, replan })
      return json(200, { data: { ...fromStanding(standing), asked_back: standing.askedBack } })
    },
  }),
]

function fromStanding({ provider, name, off, uncollected }: CarrierStanding) {
  return {
    provider,
    name,
    ...fromSwitch(off),
    uncollected: uncollected.map((delivery) => ({
      delivery_id: delivery.deliveryId,
      reference: delivery.reference,
      store_id: delivery.storeId,
      status: delivery.status,
      consignment_number: delivery.consignmentNumber,
      manifested: delivery.manifested,
      replanning: delivery.replanning,
    })),
  }
}

type Off = AccountEntry['carriersOff'] extends ReadonlyMap<string, infer One> ? One : never

function fromSwitch(off: Off | null) {
  if (!off) return { on: true }
  return { on: false, off_since: recordTime(off.sinceMs), reason: off.reason ?? undefined }
}
