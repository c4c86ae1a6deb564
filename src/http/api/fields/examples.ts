/** Requests that work on the demo account after its variables are set. The documentation shows them; its tests send them. */
const parcels = [
  {
    reference: 'P1',
    type: 'carton',
    length_cm: 30,
    width_cm: 20,
    height_cm: 10,
    weight_kg: 2.5,
    quantity: 1,
  },
]
const lineItems = [{ code: 'KETTLE-1L', name: 'Kettle, 1 litre', price_cents: 4995, quantity: 1 }]

export const QUOTE_EXAMPLE = {
  store_reference: 'melbourne-cbd',
  address: { city: 'Carlton', state: 'VIC', post_code: '3053' },
  line_items: lineItems,
  parcels,
}

export const DELIVERY_EXAMPLE = {
  store_reference: 'melbourne-cbd',
  reference: 'ORDER-$RUN',
  ready_for_pickup_at: '$READY',
  delivery_type: 'standard',
  authority_to_leave: true,
  special_instructions: 'Beside the blue door.',
  address: {
    address: '12 Drummond Street',
    city: 'Carlton',
    state: 'VIC',
    post_code: '3053',
    country: 'AU',
  },
  customer: { first_name: 'Ada', last_name: 'Nguyen', phone: '0491 570 156', email: 'ada@example.com' },
  line_items: lineItems,
  parcels,
}

export const ALLOCATION_EXAMPLE = {
  address: { latitude: -37.8183, longitude: 144.9671 },
  store_references: ['melbourne-cbd', 'fitzroy', 'sydney-cbd'],
  recommend_store_count: 2,
}

export const MANIFEST_EXAMPLE = {
  store_reference: 'melbourne-cbd',
  create_manifest_now: true,
  generate_order_summary: true,
}

export const TOKEN_EXAMPLE = {
  grant_type: 'client_credentials',
  client_id: 'demo-client',
  client_secret: 'demo-secret',
}

export const LINK_EXAMPLE = {
  store_reference: 'melbourne-cbd',
  reference: 'ORDER-$RUN-2',
  expires_at: '2098-12-01T18:00:00+11:00',
  customer: { first_name: 'Ada', last_name: 'Nguyen', phone: '0491 570 156', email: 'ada@example.com' },
  address: { address: '12 Drummond Street', city: 'Carlton', state: 'VIC', post_code: '3053' },
  line_items: lineItems,
  parcels,
}
