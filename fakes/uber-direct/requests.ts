import { z } from 'zod'

const MAX_NOTES = 280

const instant = z.iso.datetime({ offset: true })
const phone = (field: string) => z.string().regex(/^\+[0-9]+$/, `${field} phone number is not valid.`)
const notes = z.string().max(MAX_NOTES)
const cents = z.number().int().min(0)

const where = {
  pickup_address: z.string(),
  dropoff_address: z.string(),
  pickup_latitude: z.number().min(-90).max(90).optional(),
  pickup_longitude: z.number().min(-180).max(180).optional(),
  dropoff_latitude: z.number().min(-90).max(90).optional(),
  dropoff_longitude: z.number().min(-180).max(180).optional(),
}
const when = {
  pickup_ready_dt: instant.optional(),
  pickup_deadline_dt: instant.optional(),
  dropoff_ready_dt: instant.optional(),
  dropoff_deadline_dt: instant.optional(),
}

export const QuoteRequest = z.looseObject({
  ...where,
  ...when,
  pickup_phone_number: phone('pickup').optional(),
  dropoff_phone_number: phone('dropoff').optional(),
  manifest_total_value: cents.optional(),
  external_store_id: z.string().optional(),
})

const Barcode = z.object({
  value: z.string().min(1),
  type: z.enum(['CODE39', 'CODE39_FULL_ASCII', 'CODE128', 'QR']),
})
const Verification = z.object({
  signature: z.boolean().optional(),
  signature_requirement: z
    .object({
      enabled: z.boolean(),
      collect_signer_name: z.boolean().optional(),
      collect_signer_relationship: z.boolean().optional(),
    })
    .optional(),
  barcodes: z.array(Barcode).optional(),
  pincode: z.object({ enabled: z.boolean() }).optional(),
  identification: z.object({ min_age: z.number() }).optional(),
  picture: z.boolean().optional(),
})
export type Verification = z.infer<typeof Verification>

const Item = z
  .looseObject({
    name: z.string().min(1),
    quantity: z.number().int().min(1),
    size: z.enum(['small', 'medium', 'large', 'xlarge']).default('small'),
    dimensions: z
      .looseObject({
        length: z.number().int().min(1),
        height: z.number().int().min(1),
        depth: z.number().int().min(1),
      })
      .optional(),
    weight: z.number().int().min(1).optional(),
    price: cents.optional(),
  })
  .refine(({ dimensions, weight }) => !dimensions || weight !== undefined, {
    path: ['weight'],
    error: 'weight is required when dimensions are provided.',
  })

const RoboCourier = z.looseObject({
  mode: z.enum(['auto', 'custom']),
  enroute_for_pickup_at: instant.optional(),
  pickup_imminent_at: instant.optional(),
  pickup_at: instant.optional(),
  dropoff_imminent_at: instant.optional(),
  dropoff_at: instant.optional(),
})

export const DeliveryRequest = z.looseObject({
  ...where,
  ...when,
  pickup_name: z.string().min(1),
  pickup_phone_number: phone('pickup'),
  dropoff_name: z.string().min(1),
  dropoff_phone_number: phone('dropoff'),
  manifest_items: z.array(Item).min(1),
  pickup_business_name: z.string().optional(),
  pickup_notes: notes.optional(),
  pickup_verification: Verification.optional(),
  dropoff_business_name: z.string().optional(),
  dropoff_notes: notes.optional(),
  dropoff_seller_notes: notes.optional(),
  dropoff_verification: Verification.optional(),
  return_verification: Verification.optional(),
  deliverable_action: z
    .enum(['deliverable_action_meet_at_door', 'deliverable_action_leave_at_door'])
    .default('deliverable_action_meet_at_door'),
  undeliverable_action: z.enum(['leave_at_door', 'return', 'discard']).default('return'),
  manifest_reference: z.string().optional(),
  manifest_total_value: cents.optional(),
  quote_id: z.string().optional(),
  tip: cents.optional(),
  idempotency_key: z.string().min(1).optional(),
  external_store_id: z.string().optional(),
  external_id: z.string().optional(),
  test_specifications: z.looseObject({ robo_courier_specification: RoboCourier.optional() }).optional(),
})
export type DeliveryRequest = z.infer<typeof DeliveryRequest>

export const UpdateRequest = z.looseObject({
  dropoff_notes: notes.optional(),
  dropoff_seller_notes: notes.optional(),
  dropoff_verification: Verification.optional(),
  manifest_reference: z.string().optional(),
  pickup_notes: notes.optional(),
  pickup_verification: Verification.optional(),
  tip_by_customer: z.number().int().optional(),
  dropoff_latitude: where.dropoff_latitude,
  dropoff_longitude: where.dropoff_longitude,
})
export type UpdateRequest = z.infer<typeof UpdateRequest>

export const ProofRequest = z.looseObject({
  waypoint: z.enum(['pickup', 'dropoff', 'return']),
  type: z.enum(['picture', 'signature', 'pincode']),
})
