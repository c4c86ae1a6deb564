import type { Delivery } from '../../../domain/delivery/delivery.ts'
import { getDelivery } from '../../../operations/context/get-delivery.ts'
import { deliveryDecision, deliveryOptions } from '../../../operations/deliveries/delivery-decision.ts'
import { deliveryCarrierNews, deliveryTimeline } from '../../../operations/deliveries/delivery-timeline.ts'
import { type Endpoint, json, tenantEndpoint, wholeList } from '../../contract/endpoint.ts'
import { type NamesDelivery, nameOf } from '../../input/delivery-name.ts'
import { DeliveryCarrierNewsAnswer, DeliveryEventsAnswer } from './delivery-schema.ts'
import { fromCarrierNews, fromDecisionRecord, fromEvent, fromWeighed } from './history-wire.ts'
import { NamedQuery, OptionsQuery } from './lists-schema.ts'
import { DecisionAnswer, OptionsAnswer } from './quote-schema.ts'

const ONE = '/:tenant_id/deliveries/:delivery_id_or_reference'

/** What happened to a delivery, why, and what else could become of it. */
export const DELIVERY_RECORD_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/events`,
    operationId: 'listDeliveryEvents',
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'The timeline of a delivery, oldest first',
    query: NamedQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: { 200: { description: 'Every step, ours and the carrier’s.', schema: DeliveryEventsAnswer } },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      const events = await deliveryTimeline(ask.deps, ask.entry, ask.caller, nameOf(ask))
      return wholeList(events.map(fromEvent))
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/carrier-news`,
    operationId: 'listDeliveryCarrierNews',
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'What its carriers told of a delivery, as it came',
    description:
      'Each piece of news once, in the order in which it came, also what moved nothing and what was told of an earlier booking. The timeline is what was made of it.',
    query: NamedQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: { 200: { description: 'All that is kept.', schema: DeliveryCarrierNewsAnswer } },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      const news = await deliveryCarrierNews(ask.deps, ask.entry, ask.caller, nameOf(ask))
      return wholeList(news.map(fromCarrierNews))
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/decision`,
    operationId: 'getDeliveryDecision',
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'Why this carrier',
    query: NamedQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: {
      200: {
        description: 'Each service that was weighed, each carrier that was asked.',
        schema: DecisionAnswer,
      },
    },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      const { deps, entry, caller } = ask
      const delivery = await getDelivery(deps, entry, caller, nameOf(ask))
      const record = await deliveryDecision(deps, entry, caller, itself(delivery))
      return json(200, { data: fromDecisionRecord(record, zoneOf(ask, delivery)) })
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/options`,
    operationId: 'getDeliveryOptions',
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'What could carry a delivery now',
    description:
      'What each service of its account version says at this moment, carriers with prices of their own by their word of now. The first option is what a booking would take. Nothing is changed.',
    query: OptionsQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: {
      200: { description: 'Each service, the options in booking order first.', schema: OptionsAnswer },
    },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      const { deps, entry, caller, query } = ask
      const delivery = await getDelivery(deps, entry, caller, nameOf(ask))
      const elsewhere = query.elsewhere ?? false
      const options = await deliveryOptions(deps, entry, caller, itself(delivery), { elsewhere })
      return json(200, { data: fromWeighed(options, zoneOf(ask, delivery)) })
    },
  }),
]

/** By its id, which no second delivery has. */
function itself({ id }: Delivery) {
  return { idOrReference: id, storeReference: null }
}

function zoneOf({ entry }: NamesDelivery, { storeId }: Delivery) {
  return entry.account.storeById.get(storeId)?.zone ?? entry.account.zone
}
