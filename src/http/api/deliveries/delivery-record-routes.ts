import type { Delivery } from '../../../domain/delivery/delivery.ts'
import { authorityToLeaveWarning } from '../../../domain/delivery/terms.ts'
import { deliveryDecision, deliveryOptions } from '../../../operations/deliveries/delivery-decision.ts'
import { deliveryCarrierUpdates, deliveryTimeline } from '../../../operations/deliveries/delivery-timeline.ts'
import { getDelivery } from '../../../operations/delivery-lookup/get-delivery.ts'
import { labelWarnings } from '../../../operations/paperwork/label-issues.ts'
import { type Endpoint, json, tenantEndpoint, wholeList } from '../../contract/endpoint.ts'
import { type NamesDelivery, toDeliveryName } from '../../input/delivery-name.ts'
import { DeliveryCarrierEventsAnswer, DeliveryEventsAnswer } from './delivery-schema.ts'
import { fromCarrierUpdate, fromDecisionRecord, fromEvent, fromWeighed } from './history-wire.ts'
import { NamedQuery, OptionsQuery } from './lists-schema.ts'
import { DecisionAnswer, OptionsAnswer } from './quote-schema.ts'

const ONE = '/:tenant_id/deliveries/:delivery_id_or_reference'

/** A delivery’s timeline, carrier updates, decision and current options. */
export const DELIVERY_RECORD_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/events`,
    operationId: 'listDeliveryEvents',
    readsReplica: true,
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'Get a delivery’s timeline, oldest first',
    query: NamedQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: {
      200: {
        description: 'The delivery’s events, from Drover and from the carrier.',
        schema: DeliveryEventsAnswer,
      },
    },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      const events = await deliveryTimeline(ask.deps, ask.entry, ask.caller, toDeliveryName(ask))
      return wholeList(events.map(fromEvent))
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/carrier-events`,
    operationId: 'listDeliveryCarrierEvents',
    readsReplica: true,
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'List the carrier updates of a delivery',
    description:
      'Returns each update from a carrier once, in the order of arrival. This includes updates that did not change the status and updates about an earlier booking. The timeline shows the effect of the updates.',
    query: NamedQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: { 200: { description: 'All stored updates.', schema: DeliveryCarrierEventsAnswer } },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      const updates = await deliveryCarrierUpdates(ask.deps, ask.entry, ask.caller, toDeliveryName(ask))
      return wholeList(updates.map(fromCarrierUpdate))
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/decision`,
    operationId: 'getDeliveryDecision',
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'Explain the choice of carrier',
    query: NamedQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: {
      200: {
        description: 'Each service that was considered, and each booking attempt.',
        schema: DecisionAnswer,
      },
    },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      const { deps, entry, caller } = ask
      const delivery = await getDelivery(deps, entry, caller, toDeliveryName(ask))
      const record = await deliveryDecision(deps, entry, caller, itself(delivery))
      const handover = authorityToLeaveWarning(delivery.content)
      const warnings = [
        ...labelWarnings(delivery.content, delivery.reference),
        ...(handover === null ? [] : [handover]),
      ]
      return json(200, { data: fromDecisionRecord(record, getZone(ask, delivery), warnings) })
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/options`,
    operationId: 'getDeliveryOptions',
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'List the current options of a delivery',
    description:
      'Evaluates each service of the delivery’s account version now. Carriers that set their own prices are asked for their current price. The first option is the one that a booking would use. Nothing changes.',
    query: OptionsQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: {
      200: {
        description: 'Each service. The eligible options come first, in booking order.',
        schema: OptionsAnswer,
      },
    },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      const { deps, entry, caller, query } = ask
      const delivery = await getDelivery(deps, entry, caller, toDeliveryName(ask))
      const excludeCurrent = query.exclude_current_carrier ?? false
      const options = await deliveryOptions(deps, entry, caller, itself(delivery), {
        elsewhere: excludeCurrent,
      })
      return json(200, { data: fromWeighed(options, getZone(ask, delivery)) })
    },
  }),
]

/** Names the delivery by its id, which is unique, unlike a reference. */
function itself({ id }: Delivery) {
  return { idOrReference: id, storeReference: null }
}

function getZone({ entry }: NamesDelivery, { storeId }: Delivery) {
  return entry.account.storeById.get(storeId)?.zone ?? entry.account.zone
}
