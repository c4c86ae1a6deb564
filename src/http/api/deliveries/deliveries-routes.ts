import type { Account } from '../../../domain/account/account.ts'
import { parseDate, parseTimestamp, toInstantMs } from '../../../domain/calendar/timestamp.ts'
import { atLocal, type Zone } from '../../../domain/calendar/zone.ts'
import { bookNow } from '../../../operations/bookings/book-now.ts'
import { reassignDelivery } from '../../../operations/bookings/reassign-delivery.ts'
import { type CancelRequest, requestCancel } from '../../../operations/bookings/request-cancel.ts'
import { resolveBookingManually } from '../../../operations/bookings/resolve-booking-manually.ts'
import { amendDelivery } from '../../../operations/deliveries/amend-delivery.ts'
import { type CreateOptions, createDelivery } from '../../../operations/deliveries/create-delivery.ts'
import {
  deliveryListIssues,
  type EndedAsked,
  type ListFilter,
  listDeliveries,
} from '../../../operations/deliveries/list-deliveries.ts'
import { recordOutcome } from '../../../operations/deliveries/record-outcome.ts'
import { sendLeftBehind } from '../../../operations/deliveries/send-left-behind.ts'
import { getDelivery } from '../../../operations/delivery-lookup/get-delivery.ts'
import { GOODS_BODY } from '../../contract/body-limit.ts'
import { created, type Endpoint, json, listOfTexts, tenantEndpoint } from '../../contract/endpoint.ts'
import { problem } from '../../contract/problem.ts'
import { replayed, storable } from '../../idempotency/idempotency.ts'
import { type NamesDelivery, toDeliveryName } from '../../input/delivery-name.ts'
import { endedDays, toScope } from '../../input/list-query.ts'
import { DELIVERY_EXAMPLE } from '../fields/examples.ts'
import {
  createdDeliveryKept,
  deliveryData,
  deliveryKept,
  deliveryPath,
  deliveryWith,
} from './delivery-answer.ts'
import { AmendBody, CLEARABLE, DeliveryRequestBody } from './delivery-request-schema.ts'
import { toAmendment, toDeliveryRequest, toSendAfter } from './delivery-request-wire.ts'
import { DeliveryAnswer, DeliveryListAnswer } from './delivery-schema.ts'
import { listedTexts } from './listed-deliveries.ts'
import {
  BookBody,
  CancelBody,
  DeliveryListQuery,
  NamedQuery,
  OutcomeBody,
  ReassignBody,
  SendLeftBehindBody,
  SettleBody,
} from './lists-schema.ts'
import { fromFreshOptions, refusalWith, withFreshOptions } from './quote-wire.ts'

const ONE = '/:tenant_id/deliveries/:delivery_id_or_reference'

export const DELIVERY_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/deliveries',
    operationId: 'createDelivery',
    access: 'deliveries:write',
    tag: 'Deliveries',
    summary: 'Create a delivery',
    description:
      'Chooses the carrier and window, stores the delivery as `requested`, and books it when it is due. With `book_delivery_now`, booking starts at once. With a `quote_id`, the delivery gets the price and window of that quote. If they are no longer available, Drover rejects the request with 409 `option_changed` and the current options.',
    body: DeliveryRequestBody,
    bodyLimit: GOODS_BODY,
    example: DELIVERY_EXAMPLE,
    crossFields: 'delivery',
    idempotency: 'own',
    audit: 'own',
    queue: (deps) => deps.createLine,
    answers: { 201: { description: 'The delivery, requested or already booked.', schema: DeliveryAnswer } },
    refusals: ['duplicate_reference', 'no_service_available', 'option_changed'],
    async handle({ deps, entry, caller, body, idempotency, audit, request }) {
      const options = {
        idempotency,
        act: audit.act,
        quoteId: body.quote_id ?? null,
        refused: (changed) => problem(refusalWith(changed, fromFreshOptions), request.id),
        answer: (delivery) => {
          const store = entry.account.storeById.get(delivery.storeId)
          if (!store) throw new Error(`Delivery ${delivery.id} was created for a store that does not exist.`)
          return storable(
            created(deliveryPath(delivery), { data: deliveryWith(deps, entry, delivery, store) }),
          )
        },
      } satisfies CreateOptions
      const outcome = await withFreshOptions(fromFreshOptions, () =>
        createDelivery(deps, entry, caller, toDeliveryRequest(body), options),
      )
      return outcome.kind === 'replay' ? replayed(outcome.answer) : outcome.answer
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/deliveries',
    operationId: 'listDeliveries',
    readsReplica: true,
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'List deliveries, newest first',
    query: DeliveryListQuery,
    moreOfQuery: ({ entry, caller, query }) =>
      deliveryListIssues(entry, caller, { ...toScope(query), ended: endedDays(query) }),
    answers: { 200: { description: 'One page of deliveries.', schema: DeliveryListAnswer } },
    refusals: [],
    async handle({ deps, entry, caller, query }) {
      const { page, next } = await listDeliveries(
        deps,
        entry,
        caller,
        filterOf(query, getZone(entry.account, query.store_reference)),
      )
      const texts = await listedTexts(deps, entry, page)
      return listOfTexts(texts, next)
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: ONE,
    operationId: 'getDelivery',
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'Get a delivery',
    query: NamedQuery,
    answers: { 200: { description: 'The current delivery, with fresh links.', schema: DeliveryAnswer } },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      return answerWith(ask, await getDelivery(ask.deps, ask.entry, ask.caller, toDeliveryName(ask)))
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: `${ONE}/amend`,
    operationId: 'amendDelivery',
    access: 'deliveries:write',
    tag: 'Deliveries',
    summary: 'Amend a delivery',
    description:
      'Changes a delivery that is not booked with a carrier yet. The fields in the request replace the existing values; an empty or `null` `special_instructions`, `delivery_type` or `line_items` removes the value. Drover chooses the carrier again, with new windows and a new `service_quote`. A delivery that is `on_hold` becomes `requested` again. If no service can deliver it after the change, Drover rejects the request and nothing changes.',
    query: NamedQuery,
    body: AmendBody,
    bodyLimit: GOODS_BODY,
    example: {
      ready_for_pickup_at: '$READY',
      special_instructions: 'Leave it with the concierge.',
    },
    crossFields: 'amend',
    clearable: CLEARABLE,
    answers: {
      200: { description: 'The amended delivery, with the new choice of carrier.', schema: DeliveryAnswer },
    },
    refusals: [
      'ambiguous_reference',
      'delivery_already_consigned',
      'booking_in_progress',
      'not_amendable',
      'duplicate_reference',
      'no_service_available',
      'version_conflict',
    ],
    async handle(ask) {
      const { deps, entry, caller, body } = ask
      return amendDelivery(deps, entry, caller, toDeliveryName(ask), toAmendment(body), deliveryKept(ask))
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: `${ONE}/book`,
    operationId: 'bookDelivery',
    access: 'deliveries:write',
    tag: 'Deliveries',
    summary: 'Book a requested delivery now',
    description:
      'Tries to book for at most 8 seconds. If no carrier has accepted by then, the delivery stays `requested` and remains in the booking queue. With a `quote_id`, Drover books the quoted option. If that carrier refuses, the delivery becomes `on_hold` until another option is chosen. Without a `quote_id`, Drover tries every carrier for a delivery that is `on_hold`, regardless of an earlier quote.',
    query: NamedQuery,
    body: BookBody,
    bodyOptional: true,
    answers: { 200: { description: 'The delivery, booked or still requested.', schema: DeliveryAnswer } },
    refusals: [
      'ambiguous_reference',
      'not_bookable',
      'booking_in_progress',
      'option_changed',
      'version_conflict',
    ],
    async handle(ask) {
      const { deps, entry, caller, checkpoint, body } = ask
      const delivery = await withFreshOptions(fromFreshOptions, () =>
        bookNow(deps, entry, caller, toDeliveryName(ask), checkpoint, body?.quote_id ?? null),
      )
      return answerWith(ask, delivery)
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: `${ONE}/settle-booking`,
    operationId: 'settleBooking',
    access: 'deliveries:write',
    tag: 'Deliveries',
    summary: 'Resolve an unknown booking manually',
    description:
      'Records whether the carrier has the booking, after a person has asked the carrier. The delivery must be `on_hold` because the carrier did not answer and its API cannot show the booking. With `booked: true`, the delivery is booked under that consignment number. With `booked: false`, the delivery is `requested` again at once, or cancelled if a cancellation was requested in the meantime.',
    query: NamedQuery,
    body: SettleBody,
    example: { booked: false },
    exampleCall: {
      status: { code: 409, because: 'every carrier in the demo answers about a booking in the end' },
    },
    answers: {
      200: { description: 'The delivery, booked, requested again or cancelled.', schema: DeliveryAnswer },
    },
    refusals: ['ambiguous_reference', 'not_bookable'],
    async handle(ask) {
      const { deps, entry, caller, body } = ask
      const finding = body.booked
        ? { booked: true as const, consignmentNumber: body.consignment_number }
        : { booked: false as const }
      return resolveBookingManually(deps, entry, caller, toDeliveryName(ask), finding, deliveryKept(ask))
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: `${ONE}/record-outcome`,
    operationId: 'recordOutcome',
    access: 'deliveries:write',
    tag: 'Deliveries',
    summary: 'Record the outcome of a delivery by hand',
    description:
      'For a delivery that has left the store and whose courier or carrier will not report it any more. `delivered` and `returned` end it. `taken_over` puts a delivery by a staff courier `on_hold` again, once the store has the parcels back. With a carrier, only after the delivery window. The same outcome again changes nothing.',
    query: NamedQuery,
    body: OutcomeBody,
    example: { outcome: 'returned', reason: 'The driver’s phone broke; the parcels are back.' },
    exampleCall: { status: { code: 409, because: 'the delivery of the example has not left the store' } },
    answers: { 200: { description: 'The delivery with its outcome.', schema: DeliveryAnswer } },
    refusals: ['ambiguous_reference', 'outcome_not_possible', 'version_conflict'],
    async handle(ask) {
      const { deps, entry, caller, body, audit } = ask
      const done = await recordOutcome(deps, entry, caller, toDeliveryName(ask), body, deliveryKept(ask))
      if ('answer' in done) return done.answer
      audit.nothing()
      return json(200, { data: await deliveryData(deps, entry, done.unchanged) })
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: `${ONE}/send-left-behind`,
    operationId: 'sendLeftBehind',
    access: 'deliveries:write',
    tag: 'Deliveries',
    summary: 'Send the parcels left at pickup in a new delivery',
    description:
      'Splits a delivery whose staff courier did not take all parcels. A new delivery to the same customer gets the units in `left_behind`; this one keeps those that are on the way. Both happen or neither. Drover notifies the customer when the new delivery is booked.',
    query: NamedQuery,
    body: SendLeftBehindBody,
    bodyOptional: true,
    example: { ready_for_pickup_at: '$READY' },
    exampleCall: { status: { code: 409, because: 'the courier of the example took every parcel' } },
    answers: { 201: { description: 'The new delivery, requested.', schema: DeliveryAnswer } },
    refusals: [
      'ambiguous_reference',
      'nothing_left_behind',
      'duplicate_reference',
      'no_service_available',
      'version_conflict',
    ],
    async handle(ask) {
      const { deps, entry, caller, body } = ask
      return sendLeftBehind(
        deps,
        entry,
        caller,
        toDeliveryName(ask),
        toSendAfter(body ?? {}),
        createdDeliveryKept(ask),
      )
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: `${ONE}/request-cancel`,
    operationId: 'requestCancel',
    access: 'deliveries:write',
    tag: 'Deliveries',
    summary: 'Cancel a delivery',
    description:
      'A 200 response always means that the delivery is cancelled. If a carrier has the delivery, Drover waits for the carrier’s confirmation. While the outcome of a booking is unknown, Drover stores the cancellation and carries it out when the outcome is known.',
    query: NamedQuery,
    body: CancelBody,
    bodyOptional: true,
    answers: { 200: { description: 'The delivery, cancelled.', schema: DeliveryAnswer } },
    refusals: [
      'ambiguous_reference',
      'not_cancellable',
      'cancel_refused',
      'cancellation_pending',
      'booking_in_progress',
    ],
    async handle(ask) {
      const { deps, entry, caller, body, audit } = ask
      const request = toCancelRequest(body)
      return answerWith(
        ask,
        await requestCancel(deps, entry, caller, toDeliveryName(ask), request, audit.record),
      )
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: `${ONE}/reassign`,
    operationId: 'reassignDelivery',
    access: 'deliveries:write',
    tag: 'Deliveries',
    summary: 'Reassign a booked delivery to another carrier',
    description:
      'A delivery can be reassigned until it is collected or on a manifest. Drover asks the current carrier to cancel. After the carrier has confirmed, Drover plans the delivery again without that carrier and tries to book it for at most 8 seconds. If no other carrier could take the delivery, Drover rejects the request and nothing changes.',
    query: NamedQuery,
    body: ReassignBody,
    bodyOptional: true,
    exampleCall: { path: { delivery_id_or_reference: '$REASSIGNED_ID' } },
    answers: {
      200: { description: 'The delivery, booked with another carrier or requested.', schema: DeliveryAnswer },
    },
    refusals: [
      'ambiguous_reference',
      'not_reassignable',
      'no_service_available',
      'cancel_refused',
      'cancellation_pending',
    ],
    async handle(ask) {
      const { deps, entry, caller, body, audit, checkpoint } = ask
      const request = toCancelRequest(body)
      const name = toDeliveryName(ask)
      return answerWith(
        ask,
        await reassignDelivery(deps, entry, caller, name, request, audit.record, checkpoint),
      )
    },
  }),
]

async function answerWith({ deps, entry }: NamesDelivery, delivery: Awaited<ReturnType<typeof getDelivery>>) {
  return json(200, { data: await deliveryData(deps, entry, delivery) })
}

/** The time zone of the named store, otherwise of the account. */
function getZone({ storeByReference, zone }: Account, storeReference: string | undefined): Zone {
  return (storeReference !== undefined && storeByReference.get(storeReference)?.zone) || zone
}

function filterOf(query: DeliveryListQuery, zone: Zone): ListFilter {
  return {
    ...toScope(query),
    status: query.status ?? null,
    manifestStatus: query.manifest_status ?? null,
    reference: query.reference ?? null,
    createdFromMs: toMs(query.created_from, zone),
    createdToMs: toMs(query.created_to, zone),
    dayMs: toDayMs(query.on_day, zone),
    ended: toEndedFilter(query),
    q: query.q ?? null,
    limit: query.limit ?? 50,
  }
}

function toEndedFilter(query: DeliveryListQuery): EndedAsked | null {
  const days = endedDays(query)
  const { timeliness = null, provider = null, service = null } = query
  return days && { ...days, timeliness, provider, service }
}

/** The start of the day and of the next day. */
function toDayMs(date: string | undefined, zone: Zone): ListFilter['dayMs'] {
  const day = date === undefined ? null : parseDate(date)
  return day === null ? null : { fromMs: atLocal(zone, day, 0), toMs: atLocal(zone, day + 1, 0) }
}

function toMs(text: string | undefined, zone: Zone): number | null {
  const timestamp = text === undefined ? null : parseTimestamp(text)
  return timestamp && toInstantMs(timestamp, zone)
}

function toCancelRequest(body: CancelBody | undefined): CancelRequest {
  return { reason: body?.reason ?? null, carrierReleaseConfirmed: body?.carrier_release_confirmed ?? false }
}
