import type { SurplusBooking } from '../../../domain/delivery/surplus-bookings.ts'
import {
  listExtraBookings,
  settleOrphanedBooking,
} from '../../../operations/orphaned-bookings/settle-orphaned-booking.ts'
import { type Endpoint, json, tenantEndpoint, wholeList } from '../../contract/endpoint.ts'
import { toDeliveryName } from '../../input/delivery-name.ts'
import { deliveryData, deliveryKept } from './delivery-answer.ts'
import { DeliveryAnswer, ExtraBookingsAnswer } from './delivery-schema.ts'
import { NamedQuery, SettleExtraBody } from './lists-schema.ts'

const ONE = '/:tenant_id/deliveries/:delivery_id_or_reference'

/** Bookings that carriers hold in addition to the one that a delivery uses. */
export const EXTRA_BOOKING_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/extra-bookings`,
    operationId: 'listExtraBookings',
    access: 'deliveries:read',
    tag: 'Deliveries',
    summary: 'List the extra bookings of a delivery',
    description:
      'An extra booking exists at a carrier after Drover stopped relying on it. Drover asks the carrier to cancel it. This lists the extra bookings whose cancellation is not confirmed.',
    query: NamedQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: { 200: { description: 'The extra bookings; usually none.', schema: ExtraBookingsAnswer } },
    refusals: ['ambiguous_reference'],
    async handle(ask) {
      const { deps, entry, caller } = ask
      return wholeList((await listExtraBookings(deps, entry, caller, toDeliveryName(ask))).map(fromSurplus))
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: `${ONE}/settle-extra-booking`,
    operationId: 'settleExtraBooking',
    access: 'deliveries:write',
    tag: 'Deliveries',
    summary: 'Record that a carrier has cancelled an extra booking',
    description:
      'For an extra booking that a person has cancelled with the carrier, for example by phone. Drover stops asking the carrier and removes the booking from `attention`. The delivery’s own booking and status stay as they are. The same request again changes nothing.',
    query: NamedQuery,
    body: SettleExtraBody,
    example: { consignment_number: 'SW2233445', confirmed_by: 'Priya at Swiftly' },
    exampleCall: { status: { code: 409, because: 'no carrier has an extra booking of the example' } },
    answers: { 200: { description: 'The delivery.', schema: DeliveryAnswer } },
    refusals: ['ambiguous_reference', 'no_extra_booking'],
    async handle(ask) {
      const { deps, entry, caller, body, audit } = ask
      const confirmation = { consignmentNumber: body.consignment_number, confirmedBy: body.confirmed_by }
      const done = await settleOrphanedBooking(
        deps,
        entry,
        caller,
        toDeliveryName(ask),
        confirmation,
        deliveryKept(ask),
      )
      if ('answer' in done) return done.answer
      audit.nothing()
      return json(200, { data: await deliveryData(deps, entry, done.unchanged) })
    },
  }),
]

function fromSurplus({ carrierName, consignmentNumber, outcome }: SurplusBooking) {
  return {
    carrier_name: carrierName,
    consignment_number: consignmentNumber,
    cancellation: outcome ?? ('unconfirmed' as const),
  }
}
