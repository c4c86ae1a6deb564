import type { DeliveryRequest } from '../../clients/typescript/src/index.ts'

const HALF_HOUR_MS = 1_800_000

export const parcel = {
  reference: 'BOX-1',
  type: 'carton' as const,
  length_cm: 30,
  width_cm: 20,
  height_cm: 15,
  weight_kg: 3.2,
  quantity: 1,
}

/** Perfume, by the account's own definition of it. */
export const perfume = {
  ...parcel,
  reference: 'BOX-2',
  contains_dangerous_goods: true,
  dangerous_goods: { dangerous_goods_definition: 'perfumery', net_weight_kg: 0.4 },
}

export const lineItem = { code: 'TEA-1', name: 'Billy tea, 500 g', price_cents: 1450, quantity: 2 }
export const address = {
  address: '12 Beach Rd',
  city: 'Ballarat Central',
  state: 'VIC' as const,
  post_code: '3350',
}
export const nearAddress = {
  address: '8 Drummond St',
  city: 'Carlton',
  state: 'VIC' as const,
  post_code: '3053',
}
export const customer = {
  first_name: 'Ada',
  last_name: 'Nguyen',
  phone: '0491 570 156',
  email: 'ada@example.com',
}

/** The tour's default order; ready in half an hour. */
export function orderOf(
  reference: string,
  nowMs: number,
  over: Partial<DeliveryRequest> = {},
): DeliveryRequest {
  return {
    store_reference: 'melbourne-cbd',
    reference,
    ready_for_pickup_at: new Date(nowMs + HALF_HOUR_MS).toISOString(),
    delivery_type: 'standard',
    address: { ...address, country: 'AU' },
    customer,
    line_items: [lineItem],
    parcels: [parcel],
    ...over,
  }
}
