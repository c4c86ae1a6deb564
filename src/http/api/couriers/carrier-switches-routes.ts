import { z } from 'zod'
import { STATUSES } from '../../../domain/delivery/status.ts'
import {
  type CarrierDetail,
  type CarrierSummary,
  getCarrierDetail,
  listCarriers,
  switchOff,
  switchOn,
} from '../../../operations/carriers/switch-carrier.ts'
import { type Endpoint, json, tenantEndpoint, wholeList } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { makeListSchema } from '../fields/pagination.ts'
import { lineText, recordTime as recordTimeText } from '../fields/text.ts'

const Switch = z.strictObject({
  on: z.boolean(),
  disabled_since: recordTimeText.optional(),
  reason: z.string().optional(),
  decommissioned: z
    .literal(true)
    .optional()
    .meta({ description: 'The carrier is permanently off and will collect nothing more.' }),
})
const Listed = Switch.extend({
  provider: z.string(),
  name: z.string(),
  outage_since: recordTimeText.optional().meta({
    description:
      'Present while the carrier does not answer. Drover checks every 30 seconds whether it is available again.',
  }),
  recall_started_at: recordTimeText.optional().meta({
    description:
      'When Drover started to cancel the uncollected deliveries with this carrier (`booking.replan_when_dark_minutes`).',
  }),
})
const ListAnswer = makeListSchema(
  Listed.extend({
    uncollected_count: z
      .int()
      .meta({ description: 'The number of deliveries that the carrier has booked and not collected.' }),
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
            replanning: z.boolean().meta({
              description:
                'A cancellation with the carrier is pending. Drover plans the delivery again after the carrier has confirmed.',
            }),
          }),
        )
        .meta({
          description: 'The deliveries that are booked and not collected yet, oldest first, at most 1,000.',
        }),
      pickup_url: z.string().optional().meta({
        description:
          'The page where a courier without an API downloads its work. Anyone with this URL can read all of it.',
      }),
      recalled_count: z.int().optional(),
    }),
  })
  .meta({ id: 'CarrierDetailAnswer' })

const SwitchBody = z
  .strictObject({
    on: z.boolean(),
    reason: lineText(200).optional(),
    replan: z.boolean().optional().meta({
      description:
        'When switching off: also cancels the deliveries that are not collected and on no manifest, and plans them again. Absent: the account’s `booking.replan_when_off`.',
    }),
    decommissioned: z.boolean().optional().meta({
      description:
        'When switching off: the carrier will collect nothing more, for example because it has closed down. Drover cancels all uncollected deliveries, including those on a manifest, and plans them again even if the carrier does not answer.',
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
    summary: 'List the account’s carriers and their availability',
    answers: {
      200: {
        description:
          'The carriers in the order of the account document, with those that are off or do not answer.',
        schema: ListAnswer,
      },
    },
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
    summary: 'Get a carrier and its uncollected deliveries',
    answers: { 200: { description: 'The current state of the carrier.', schema: StandingAnswer } },
    async handle({ deps, entry, params }) {
      return json(200, {
        data: fromCarrierDetail(await getCarrierDetail(deps, entry, params.provider as string)),
      })
    },
  }),
  tenantEndpoint({
    ...shared,
    method: 'PUT',
    url: '/:tenant_id/carriers/:provider/switch',
    operationId: 'switchCarrier',
    summary: 'Switch a carrier on or off',
    description:
      'A carrier that is off appears in no quote and gets no bookings. Deliveries that only this carrier could take wait. Drover still tracks the deliveries that the carrier already has.',
    body: SwitchBody,
    example: { on: true },
    answers: { 200: { description: 'The state of the carrier after the change.', schema: StandingAnswer } },
    async handle({ deps, entry, params, body, audit }) {
      const provider = params.provider as string
      const { on, reason = null, replan = null, decommissioned = false } = body
      const detail = on
        ? await switchOn(deps, entry, provider, audit.record)
        : await switchOff(deps, entry, provider, { reason, replan, decommissioned }, audit.record)
      return json(200, {
        data: { ...fromCarrierDetail(detail), recalled_count: detail.pendingCancellation },
      })
    },
  }),
]

function fromLine({ provider, name, off, outage }: Omit<CarrierSummary, 'uncollected'>) {
  return { provider, name, ...fromSwitch(off), ...fromOutage(outage) }
}

function fromCarrierDetail(detail: CarrierDetail) {
  return {
    ...fromLine(detail),
    ...(detail.pickupUrl === null ? {} : { pickup_url: detail.pickupUrl }),
    uncollected: detail.uncollected.map((delivery) => ({
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

function fromOutage(outage: CarrierSummary['outage']) {
  if (!outage) return {}
  const { startedAtMs, recallStartedAtMs } = outage
  return {
    outage_since: recordTime(startedAtMs),
    ...(recallStartedAtMs === null ? {} : { recall_started_at: recordTime(recallStartedAtMs) }),
  }
}

function fromSwitch(off: CarrierSummary['off']) {
  if (!off) return { on: true }
  return {
    on: false,
    disabled_since: recordTime(off.sinceMs),
    reason: off.reason ?? undefined,
    ...(off.decommissioned && { decommissioned: true }),
  }
}
