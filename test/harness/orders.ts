const PERSON = { first_name: 'Ada', last_name: 'Nguyen', phone: '0491 570 156', email: 'ada@example.com' }
const CARLTON = { address: '12 Drummond Street', city: 'Carlton', state: 'VIC', post_code: '3053' }
export const CARTON = {
  ...{ reference: 'P1', type: 'carton', quantity: 1 },
  ...{ length_cm: 30, width_cm: 20, height_cm: 15, weight_kg: 3 },
}

/** An order, as the body of a create or of a link. */
export function orderOf(store: string, reference: string, over: object = {}): Record<string, unknown> {
  return {
    ...{ store_reference: store, reference, customer: PERSON, address: { ...CARLTON, country: 'AU' } },
    line_items: [{ code: 'TEA-1', name: 'Billy tea', price_cents: 1450, quantity: 1 }],
    parcels: [CARTON],
    ...over,
  }
}

/** A delivery by road, which needs a manifest, and so late that no worker books it for hours. */
export function roadOrderOf(store: string, reference: string, over: object = {}): Record<string, unknown> {
  const late = { ready_for_pickup_at: '2026-11-24T14:30:00+11:00', delivery_type: 'standard' }
  return orderOf(store, reference, { ...late, ...over })
}
