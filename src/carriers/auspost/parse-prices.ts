import { z } from 'zod'
import type { CarrierRate } from '../../domain/quoting/carrier-rate.ts'
import type { PriceLine } from '../../domain/quoting/decision.ts'
import { dollarsAsCents, understood } from '../answer.ts'
import type { Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { readReply } from './refusals.ts'

const none = dollarsAsCents.default(0)
const Prices = z.object({
  shipments: z
    .array(
      z.object({
        shipment_summary: z.object({
          total_cost: dollarsAsCents,
          fuel_surcharge: none,
          manual_handling_surcharge: none,
          security_surcharge: none,
        }),
      }),
    )
    .min(1),
})

/** A price is ours to keep for a while: the API gives it no end, and contracts change by the month. */
const KEPT_MS = 10 * 60_000

/** What a product costs with its surcharges, GST included. */
export function parsePrice(
  response: CarrierResponse,
  carrierCode: string,
  wallMs: number,
): Outcome<CarrierRate> {
  return readReply(response, ({ body }) =>
    understood(Prices, body, ({ shipments }) => {
      const sum = (part: keyof (typeof shipments)[number]['shipment_summary']) =>
        shipments.reduce((cents, { shipment_summary }) => cents + shipment_summary[part], 0)
      const priceCents = sum('total_cost')
      const surcharges = [
        surcharge('fuel', sum('fuel_surcharge')),
        surcharge('manual handling', sum('manual_handling_surcharge')),
        surcharge('security', sum('security_surcharge')),
      ].flat()
      const freight = priceCents - surcharges.reduce((cents, line) => cents + line.cents, 0)
      const lines = [{ name: 'carrier_price' as const, cents: freight, detail: carrierCode }, ...surcharges]
      return { carrierCode, priceCents, lines, quoteId: null, expiresAtMs: wallMs + KEPT_MS, window: null }
    }),
  )
}

function surcharge(detail: string, cents: number): PriceLine[] {
  return cents === 0 ? [] : [{ name: 'surcharge', cents, detail }]
}
