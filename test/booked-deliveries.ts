import type { DeliveryRequest } from '../src/domain/delivery/request.ts'
import { createDelivery } from '../src/operations/deliveries/create-delivery.ts'
import { getDelivery } from '../src/operations/delivery-lookup/get-delivery.ts'
import { anyone, type Fixture } from './fixture.ts'
import { deliveryRequest, requestParcel, timestamp } from './requests.ts'

/** Goods that only Big Haul accepts. */
export const freight: Partial<DeliveryRequest> = {
  parcels: [{ ...requestParcel, type: 'pallet', lengthCm: 110, widthCm: 110, heightCm: 120, weightKg: 300 }],
}

/** Books a delivery from Melbourne CBD by `standard`. */
export async function book(fixture: Fixture, reference: string, changes: Partial<DeliveryRequest> = {}) {
  const delivery = await create(fixture, reference, { bookDeliveryNow: true, ...changes })
  if (delivery.status !== 'booked') throw new Error(`${reference} is ${delivery.status}.`)
  return delivery
}

/** Creates the same without booking it. */
export async function create(fixture: Fixture, reference: string, changes: Partial<DeliveryRequest> = {}) {
  await createDelivery(
    fixture.deps,
    fixture.demo(),
    anyone,
    {
      ...deliveryRequest,
      storeReference: 'melbourne-cbd',
      readyForPickupAt: timestamp('2026-11-24T12:00:00+11:00'),
      deliveryType: 'standard',
      reference,
      ...changes,
    },
    { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) },
  )
  return read(fixture, reference)
}

export function read(fixture: Fixture, idOrReference: string) {
  return getDelivery(fixture.deps, fixture.demo(), anyone, { idOrReference, storeReference: null })
}

/**
 * Copies a delivery and, if it is booked, its consignment at the sandbox carrier `count` times. Returns the references
 * of the copies: `${reference}-1`, `-2`, …
 */
export async function copies(fixture: Fixture, reference: string, count: number): Promise<string[]> {
  const { db } = fixture.deps
  const { id, consignmentNumber } = await read(fixture, reference)
  await db.query(
    `insert into deliveries
     select one.* from deliveries as d, generate_series(1, $3::int) as copy,
       jsonb_populate_record(d, jsonb_build_object(
         'delivery_id', 'dlv_' || lpad(to_hex(hashtext(d.reference) & 65535), 6, '0') || lpad(copy::text, 20, '0'),
         'reference', d.reference || '-' || copy, 'consignment_number', d.consignment_number || '-' || copy,
         'due_at', null)) as one
     where d.account_id = $1 and d.delivery_id = $2`,
    ['demo', id, count],
  )
  const references = Array.from({ length: count }, (_, index) => `${reference}-${index + 1}`)
  if (consignmentNumber === null) return references
  await db.query(
    `insert into sandbox_consignments
     select one.* from sandbox_consignments as c, generate_series(1, $2::int) as copy,
       jsonb_populate_record(c, jsonb_build_object(
         'consignment_number', c.consignment_number || '-' || copy, 'idempotency_key', null,
         'reference', c.reference || '-' || copy)) as one
     where c.consignment_number = $1`,
    [consignmentNumber, count],
  )
  return references
}
