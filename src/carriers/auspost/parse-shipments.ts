import { z } from 'zod'
import { carrierWord, dollarsAsCents, understood } from '../answer.ts'
import type { Booking, Consignment, Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { refOf } from './ref.ts'
import { readReply } from './refusals.ts'
import { rowOf } from './units.ts'

const Shipment = z.object({
  shipment_id: carrierWord,
  shipment_reference: z.string().default(''),
  sender_references: z.array(z.string()).default([]),
  order_id: carrierWord.optional(),
  shipment_summary: z.object({ total_cost: dollarsAsCents }),
  items: z
    .array(
      z.object({
        item_reference: z.string().default(''),
        tracking_details: z.object({
          article_id: carrierWord,
          consignment_id: carrierWord,
        }),
      }),
    )
    .min(1),
})
type Shipment = z.output<typeof Shipment>
const Shipments = z.object({ shipments: z.array(Shipment) })

/** The shipments of a new booking, which are as many as we asked for. */
export function parseCreated(
  response: CarrierResponse,
  consignment: Consignment,
  wanted: number,
): Outcome<Booking> {
  return readReply(response, ({ body }) => {
    const outcome = understood(Shipments, body, ({ shipments }) => bookingOf(shipments, consignment))
    if (outcome.kind !== 'yes') return outcome
    return Shipments.parse(body).shipments.length === wanted
      ? outcome
      : { kind: 'unknown', said: `it made another number of shipments than the ${wanted} asked for` }
  })
}

/**
 * What a listing by our key holds of the booking, or null for none. One that was made twice counts once: of the same
 * `shipment_reference` the one made last is listed first. A shipment that we cannot read is unknown, not none.
 */
export function parseListed(response: CarrierResponse, consignment: Consignment): Outcome<Booking | null> {
  return readReply(response, ({ body }) =>
    understood(Shipments, body, ({ shipments }) => {
      const ours = shipments.filter(({ sender_references }) => sender_references[0] === consignment.key)
      const each = new Map(ours.map((shipment) => [shipment.shipment_reference, shipment]))
      const sorted = [...each.values()].sort((a, b) => (a.shipment_reference < b.shipment_reference ? -1 : 1))
      return sorted.length === 0 ? null : bookingOf(sorted, consignment)
    }),
  )
}

/** The order that a shipment is in, or null. */
export function parseOrderOf(response: CarrierResponse): Outcome<string | null> {
  return readReply(response, ({ body }) =>
    understood(
      Shipments,
      body,
      ({ shipments }) => shipments.find(({ order_id }) => order_id)?.order_id ?? null,
    ),
  )
}

function bookingOf(shipments: readonly Shipment[], { parcels }: Consignment): Booking {
  const parts = shipments.map(({ shipment_id, items }) => ({
    shipmentId: shipment_id,
    consignmentId: items[0]!.tracking_details.consignment_id,
  }))
  const units = shipments.flatMap(({ items }) => items)
  return {
    consignmentNumber: parts[0]!.consignmentId,
    carrierRef: refOf(parts),
    articles: parcels.map(({ reference }, row) => ({
      parcelReference: reference,
      articleIds: units
        .filter(({ item_reference }) => rowOf(item_reference) === row)
        .map(({ tracking_details }) => tracking_details.article_id),
    })),
    costCents: shipments.reduce((sum, { shipment_summary }) => sum + shipment_summary.total_cost, 0),
  }
}
