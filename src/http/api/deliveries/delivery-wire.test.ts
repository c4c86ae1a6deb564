import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../../test/demo-account.ts'
import type { Delivery } from '../../../domain/delivery/delivery.ts'
import { type DeliveryRequestBody, DeliveryRequestBody as Schema } from './delivery-request-schema.ts'
import { toDeliveryRequest } from './delivery-request-wire.ts'
import { fromDelivery, type Surroundings } from './delivery-wire.ts'

const store = exampleAccount('demo-account').storeByReference.get('melbourne-cbd')!
const around: Surroundings = {
  store,
  trackingUrl: 'https://drover.test/track/t',
  labelUrl: () => 'https://drover.test/label',
  dangerousGoodsFormUrl: null,
}

/** Sends every optional field, so that the test notices a field that the response omits. */
const body: DeliveryRequestBody = Schema.parse({
  store_reference: 'melbourne-cbd',
  reference: 'ORDER-1',
  ready_for_pickup_at: '2026-11-24T14:00:00+11:00',
  delivery_type: 'standard',
  delivery_mode: 'customer_pickup',
  book_delivery_now: true,
  use_dynamic_RFP: true,
  ignore_buffer_time: true,
  authority_to_leave: false,
  special_instructions: 'Ring.',
  pickup_instructions: 'Dock 2.',
  price_cents_total_value: 0,
  provider_options: { provider: 'swiftly', service: 'NOW' },
  product_types: { alcohol: true, tobacco: false },
  address: {
    address: '12 Drummond Street',
    address2: 'Unit 3',
    city: 'Carlton',
    state: 'VIC',
    post_code: '3053',
    country: 'AU',
    business: true,
    company_name: 'Nguyen & Co',
    name: 'Reception',
  },
  customer: { first_name: 'Ada', last_name: 'Nguyen', phone: '+61491570156', email: 'a@b.co', country: 'AU' },
  line_items: [
    { code: 'K', name: 'Kettle', price_cents: 4995, quantity: 2, packing_instructions: 'Upright.' },
  ],
  parcels: [
    {
      reference: 'P1',
      description: 'Kettle box',
      type: 'satchel',
      length_cm: 30,
      width_cm: 20,
      height_cm: 10,
      weight_kg: 2.5,
      quantity: 2,
      contains_dangerous_goods: true,
      dangerous_goods: {
        dangerous_goods_definition: 'perfumery',
        dangerous_goods_declaration: 'D1',
        transportable_by_air: false,
        un_number: 1266,
        technical_name: 'Perfumery products',
        net_weight_kg: 0.5,
        class_division: 3,
        subsidiary_risk: 8,
        packing_group_designator: 'II',
        outer_packaging_type: 'carton',
        outer_packaging_quantity: 1,
      },
    },
  ],
  use_staff_couriers: true,
  staff_courier: { phone: '+61491570157', driver_name: 'Mia Tran', driver_id: 'M1' },
  metadata: { till: '4' },
  suppress_notifications: true,
})

const request = toDeliveryRequest(body)
const requested: Delivery = {
  accountId: 'demo',
  id: 'dlv_1',
  storeId: store.id,
  brandId: store.brand.id,
  reference: request.reference,
  status: 'requested',
  subStatus: null,
  statusReason: null,
  content: {
    ...request,
    deliveryMode: request.deliveryMode ?? 'store_to_door',
    requestedType: request.deliveryType,
    destination: {
      lat: -37.8,
      lng: 144.97,
      suburb: 'Carlton',
      state: 'VIC',
      postCode: '3053',
      residential: false,
      addressKind: 'street',
      warning: null,
    },
  },
  deliveryType: 'standard',
  chosen: null,
  window: null,
  readyForPickupAtMs: Date.parse('2026-11-24T14:00:00+11:00'),
  consignmentNumber: null,
  articles: [],
  manifestStatus: 'pending',
  manifestId: null,
  bookingAttempt: null,
  accountVersion: 1,
  createdAtMs: Date.parse('2026-11-24T00:00:00.123Z'),
  updatedAtMs: Date.parse('2026-11-24T00:00:00.123Z'),
  requestedAtMs: null,
  bookedAtMs: null,
  pendingCancellation: null,
  hasCarrierProof: false,
  attention: null,
}
const booked: Delivery = {
  ...requested,
  status: 'booked',
  consignmentNumber: 'SP123',
  articles: [{ parcelReference: 'P1', articleIds: ['A1', 'A2'] }],
  chosen: {
    provider: 'southern_parcels',
    carrierName: 'Southern Parcels',
    service: 'ROAD',
    carrierCode: 'SP-ROAD',
    manifestGroup: 'SOUTHERN-ROAD',
    priceCents: 1105,
    lines: [],
    numDays: 1,
    pickupMs: Date.parse('2026-11-24T14:15:00+11:00'),
  },
  window: { fromMs: Date.parse('2026-11-25T08:00:00+11:00'), toMs: Date.parse('2026-11-25T18:00:00+11:00') },
  requestedAtMs: Date.parse('2026-11-24T00:00:01Z'),
  bookedAtMs: Date.parse('2026-11-24T00:00:02Z'),
}
/** The JSON on the wire, without undefined fields. */
const wire = (delivery: Delivery) => JSON.parse(JSON.stringify(fromDelivery(delivery, around)))

test('a delivery returns what was requested, field for field', () => {
  const data = wire(requested)
  // Not returned: the command to book, and the store field, because responses always have both of the store's names.
  const { book_delivery_now: _, store_reference, ...echoed } = JSON.parse(JSON.stringify(body))
  assert.equal(data.store_reference, store_reference)
  for (const [field, value] of Object.entries(echoed)) {
    if (field === 'address') assert.deepEqual(data.address, { ...(value as object), lat: -37.8, lng: 144.97 })
    else assert.deepEqual(data[field], value, field)
  }
})

test('missing values are left out, not null', () => {
  const absent = [
    'consignment_number',
    'booked_at',
    'requested_at',
    'label_url',
    'from_datetime',
    'to_datetime',
    'sub_status',
    'status_reason',
    'carrier_provider',
    'service_code',
    'carrier_code',
    'manifest_group',
    'service_quote',
  ]
  const data = wire(requested)
  for (const field of absent) assert.ok(!(field in data), field)
  assert.ok(!JSON.stringify(data).includes('null'))
  assert.ok(!('article_id' in data.parcels[0]))
})

test('a booked delivery has carrier, window, label and articles', () => {
  const data = wire(booked)
  const expected = {
    consignment_number: 'SP123',
    carrier_provider: 'Southern Parcels',
    provider: 'southern_parcels',
    service_code: 'ROAD',
    carrier_code: 'SP-ROAD',
    manifest_group: 'SOUTHERN-ROAD',
    label_url: 'https://drover.test/label',
    ready_for_pickup_at: '2026-11-24T14:00:00+11:00',
    from_datetime: '2026-11-25T08:00:00+11:00',
    to_datetime: '2026-11-25T18:00:00+11:00',
    created_at: '2026-11-24T00:00:00.123Z',
    booked_at: '2026-11-24T00:00:02.000Z',
    service_quote: {
      price_cents: 1105,
      from_datetime: '2026-11-25T08:00:00+11:00',
      to_datetime: '2026-11-25T18:00:00+11:00',
    },
    store_location: { name: store.name, lat: store.lat, lng: store.lng },
    additionals: { is_residential: false },
  }
  for (const [field, value] of Object.entries(expected)) assert.deepEqual(data[field], value, field)
  assert.equal(data.parcels[0].article_id, 'A1')
  assert.deepEqual(data.parcels[0].article_ids, ['A1', 'A2'])
})

test('a pending cancellation says since when and for what purpose', () => {
  const pendingCancellation = {
    atMs: Date.parse('2026-11-24T00:00:00.123Z'),
    purpose: 'replan',
    reason: null,
  } as const
  assert.deepEqual(wire({ ...booked, pendingCancellation }).pending_cancellation, {
    at: '2026-11-24T00:00:00.123Z',
    purpose: 'replan',
  })
})

test('a dynamic ready time is shown as the carrier moved it', () => {
  const readyMs = Date.parse('2026-11-24T15:00:00+11:00')
  assert.equal(wire(booked).ready_for_pickup_at, '2026-11-24T14:00:00+11:00')
  const moved = wire({ ...booked, chosen: { ...booked.chosen!, readyMs } })
  assert.equal(moved.ready_for_pickup_at, '2026-11-24T15:00:00+11:00')
})

test('a label is offered while it is still useful', () => {
  const offered = (status: Delivery['status']) => 'label_url' in wire({ ...booked, status })
  assert.deepEqual((['booked', 'assigned', 'collected', 'delivered'] as const).map(offered), [
    true,
    true,
    true,
    true,
  ])
  assert.equal(offered('cancelled'), false)
  assert.equal('label_url' in wire({ ...booked, consignmentNumber: null }), false)
})

test('the mode is shown for customer pickup only, and product types are always an object', () => {
  const content = { ...booked.content, deliveryMode: 'store_to_door' as const, productTypes: {} }
  const data = wire({ ...booked, content })
  assert.equal('delivery_mode' in data, false)
  assert.deepEqual(data.product_types, {})
})
