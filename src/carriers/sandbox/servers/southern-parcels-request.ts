import { z } from 'zod'
import type { Plan } from '../engine/progress.ts'

/** One shipment in Southern's format: one item per unit. */
export const Shipment = z.looseObject({
  shipmentReference: z.string().min(1).max(50),
  customerReference: z.string().min(1),
  productId: z.string().min(1),
  contractPrice: z.number().nonnegative().optional(),
  dispatchFrom: z.iso.datetime(),
  deliverFrom: z.iso.datetime(),
  deliverTo: z.iso.datetime(),
  from: z.looseObject({ name: z.string().min(1), postcode: z.string().regex(/^\d{4}$/) }),
  to: z.looseObject({ name: z.string().min(1), postcode: z.string().regex(/^\d{4}$/) }),
  items: z
    .array(
      z.looseObject({
        lineNumber: z.int().positive(),
        itemReference: z.string(),
        weight: z.number().positive(),
      }),
    )
    .min(1),
})
export type Shipment = z.output<typeof Shipment>
export const ShipmentsRequest = z.object({ shipments: z.tuple([Shipment]) })

/** The plan of a shipment, from the stored request. */
export function southernPlan(request: unknown): Plan {
  return planOf(ShipmentsRequest.parse(request).shipments[0])
}

/** The same from a request that is parsed already. */
export function planOf(shipment: Shipment): Plan {
  return {
    by: 'network',
    readyAtMs: Date.parse(shipment.dispatchFrom),
    window: { fromMs: Date.parse(shipment.deliverFrom), toMs: Date.parse(shipment.deliverTo) },
  }
}
