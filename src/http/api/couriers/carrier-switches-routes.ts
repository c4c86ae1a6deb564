import { z } from 'zod'
import { STATUSES } from '../../../domain/delivery/status.ts'
import {
  type CarrierLine,
  type CarrierStanding,
  carrierStanding,
  listCarriers,
  switchOff,
  switchOn,
} from '../../../operations/carriers/switch-carrier.ts'
import { type Endpoint, json, tenantEndpoint, wholeList } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { listOf } from '../fields/pagination.ts'
import { lineText, recordTime as recordTimeText } from '../fields/text.ts'

const Switch = z.strictObject({
  on: z.boolean(),
  off_since: recordTimeText.optional(),
  reason: z.string().optional(),
  gone: z.literal(true).optional().meta({ description: 'Off for good: it will collect nothing more.' }),
})
const Listed = Switch.extend({
  provider: z.string(),
  name: z.string(),
  dark_since: recordTimeText
    .optional()
    .meta({ description: 'It does not answer. It is asked each half minute whether it is back.' }),
  asked_back_at: recordTimeText.optional().meta({
    description: 'When it was asked for what it has not collected (`booking.replan_when_dark_minutes`).',
  }),
})
const ListAnswer = listOf(
  Listed.extend({
    uncollected_count: z.int().meta({ description: 'How many it has booked and not collected.' }),
  }),
).meta({ id: 'CarriersAnswer' })
const StandingAnswer = z
  .strictObject({
    data: Listed.extend({
      uncollected: z
        .array(
          z.strictObject({
            delivery_id: z.string(),
            reference: z.string(),
            store_id: z.string(),
            status: z.enum(STATUSES),
            consignment_number: z.string(),
            manifested: z.boolean(),
            replanning: z
              .boolean()
              .meta({ description: 'Asked back, and planned anew once the carrier lets it go.' }),
          }),
        )
        .meta({ description: 'Booked and not collected yet, oldest first, at most 1,000.' }),
      pickup_url: z.string().optional().meta({
        description: 'Where a courier without an interface fetches his work. Who has it reads all of it.',
      }),
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
    gone: z.boolean().optional().meta({
      description:
        'Off: it will collect nothing more, as one that has closed down. All that it has not collected is asked back, what is on a manifest too, and planned anew also where it does not answer.',
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
    summary: 'The carriers of the account, and which are switched off or do not answer',
    answers: { 200: { description: 'In the account’s order.', schema: ListAnswer } },
    refusals: [],
    async handle({ deps, entry }) {
      const carriers = await listCarriers(deps, entry)
      return wholeList(carriers.map((line) => ({ ...fromLine(line), uncollected_count: line.uncollected })))
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
    example: { on: true },
    answers: { 200: { description: 'As it stands now.', schema: StandingAnswer } },
    async handle({ deps, entry, params, body, audit }) {
      const provider = params.provider as string
      const { on, reason = null, replan = null, gone = false } = body
      const standing = on
        ? await switchOn(deps, entry, provider, audit.record)
        : await switchOff(deps, entry, provider, { reason, replan, gone }, audit.record)
      return json(200, { data: { ...fromStanding(standing), asked_back: standing.askedBack } })
    },
  }),
]

function fromLine({ provider, name, off, outage }: Omit<CarrierLine, 'uncollected'>) {
  return { provider, name, ...fromSwitch(off), ...fromOutage(outage) }
}

function fromStanding(standing: CarrierStanding) {
  return {
    ...fromLine(standing),
    ...(standing.pickupUrl === null ? {} : { pickup_url: standing.pickupUrl }),
    uncollected: standing.uncollected.map((delivery) => ({
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

function fromOutage(outage: CarrierLine['outage']) {
  if (!outage) return {}
  const { darkSinceMs, askedBackAtMs } = outage
  return {
    dark_since: recordTime(darkSinceMs),
    ...(askedBackAtMs === null ? {} : { asked_back_at: recordTime(askedBackAtMs) }),
  }
}

function fromSwitch(off: CarrierLine['off']) {
  if (!off) return { on: true }
  return {
    on: false,
    off_since: recordTime(off.sinceMs),
    reason: off.reason ?? undefined,
    ...(off.gone && { gone: true }),
  }
}
