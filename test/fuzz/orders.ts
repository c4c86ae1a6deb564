const customer = { first_name: 'Ada', last_name: 'Nguyen', phone: '0491 570 156', email: 'ada@example.com' }
const address = { address: '12 Drummond Street', city: 'Carlton', state: 'VIC', post_code: '3053' }
const parcels = [{ reference: 'P1', length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: 2.5, quantity: 1 }]

/** A road delivery, which requires a manifest, and so late that no worker books it for hours. */
export function orderOf(store: string, reference: string, over: object = {}): Record<string, unknown> {
  return {
    store_reference: store,
    reference,
    ready_for_pickup_at: '2026-11-24T14:30:00+11:00',
    delivery_type: 'standard',
    address: { ...address, country: 'AU' },
    customer,
    parcels,
    ...over,
  }
}

/** An order that its customer books through a link. */
export function linkOrderOf(store: string, reference: string, over: object = {}): Record<string, unknown> {
  const line_items = [{ code: 'KETTLE', name: 'Kettle', price_cents: 4995, quantity: 1 }]
  return { store_reference: store, reference, customer, address, line_items, parcels, ...over }
}
