import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery } from '../../shared/api.generated.ts'
import { amendmentOf } from './amendment.ts'
import { type Draft, draftOf, emptyDraft, hasInput, moveDraft, quoteOf } from './draft.ts'

/** Fields of the form, and fields that it does not show. */
const delivery = {
  reference: 'WC-1',
  delivery_type: 'standard',
  delivery_mode: 'customer_pickup',
  ready_for_pickup_at: '2026-11-24T16:30:00+11:00',
  special_instructions: 'Ring twice.',
  authority_to_leave: true,
  price_cents_total_value: 12_000,
  product_types: { contains_alcohol: true },
  line_items: [{ code: 'GIN', name: 'Gin', price_cents: 12_000, quantity: 1 }],
  address: {
    name: 'Reception',
    address: '12 Drummond Street',
    address2: 'Unit 3',
    city: 'Carlton',
    state: 'VIC',
    post_code: '3053',
    country: 'AU',
    business: true,
    company_name: 'Quill & Co',
    lat: -37.8,
    lng: 144.97,
  },
  customer: { first_name: 'Ada', last_name: 'Nguyen', phone: '+61491570156', country: 'NZ' },
  parcels: [
    {
      reference: 'P1',
      description: 'Lamp',
      length_cm: 30,
      width_cm: 20,
      height_cm: 10,
      weight_kg: 2.5,
      quantity: 1,
      contains_dangerous_goods: true,
      dangerous_goods: { dangerous_goods_definition: 'lithium', net_weight_kg: 0.4 },
      article_id: '33ABC',
      article_ids: ['33ABC'],
    },
  ],
} as unknown as Delivery
const draft = draftOf(delivery)
const [parcel] = draft.parcels as [Draft['parcels'][number]]
const amended = (changes: Partial<Draft>) => amendmentOf({ ...draft, ...changes }, delivery)
const ready = { ready_for_pickup_at: delivery.ready_for_pickup_at }

test('unchanged fields are not sent', () => {
  assert.deepEqual(amended({}), ready)
  assert.deepEqual(amended({ readyAt: '2026-11-24T17:00' }), { ready_for_pickup_at: '2026-11-24T17:00' })
  assert.deepEqual(amended({ deliveryType: 'express' }), { ...ready, delivery_type: 'express' })
  assert.deepEqual(amended({ deliveryType: null }), { ...ready, delivery_type: '' })
  assert.deepEqual(amended({ instructions: '' }), { ...ready, special_instructions: '' })
})

test('a changed object keeps its fields that the form does not show', () => {
  const { lat: _lat, lng: _lng, ...address } = delivery.address
  assert.deepEqual(amended({ address: '14 Drummond Street' }), {
    ...ready,
    address: { ...address, address: '14 Drummond Street' },
  })
  assert.deepEqual(amended({ phone: '0491 570 157', email: 'ada@example.com' }).customer, {
    ...delivery.customer,
    phone: '0491 570 157',
    email: 'ada@example.com',
  })
  const { article_id: _id, article_ids: _ids, ...whole } = delivery.parcels[0] as Delivery['parcels'][number]
  assert.deepEqual(amended({ parcels: [{ ...parcel, weight: '3' }] }).parcels, [
    { ...whole, type: 'carton', weight_kg: 3 },
  ])
})

test('clearing a field also removes the fields that depend on it', () => {
  const { address } = amended({ company: '', address2: '' })
  assert.deepEqual(
    [address?.business, address?.company_name, address?.address2],
    [undefined, undefined, undefined],
  )
  assert.equal(amended({ company: 'Another & Co' }).address?.business, true)
  const [other] = amended({ parcels: [{ ...parcel, dangerous: 'paint' }] }).parcels ?? []
  assert.deepEqual(other?.dangerous_goods, { dangerous_goods_definition: 'paint' })
  const [none] = amended({ parcels: [{ ...parcel, dangerous: '' }] }).parcels ?? []
  assert.equal(none?.contains_dangerous_goods, undefined)
})

test('the quote request has the same fields as the delivery', () => {
  const quote = quoteOf(draft, 'fitzroy', delivery)
  assert.equal(quote?.delivery_mode, 'customer_pickup')
  assert.deepEqual(quote?.product_types, delivery.product_types)
  assert.deepEqual(quote?.line_items, delivery.line_items)
  assert.equal(quote?.price_cents_total_value, 12_000)
  assert.equal(quote?.address.business, true)
})

test('at another store a new delivery is ready at the same instant, without the first store’s courier', () => {
  const fitzroy = { time_zone: 'Australia/Melbourne', address: { state: 'VIC' } }
  const perth = { time_zone: 'Australia/Perth', address: { state: 'WA' } }
  const before = {
    ...emptyDraft('VIC', '2026-11-24T16:30'),
    firstName: 'Ada',
    service: { provider: 'swiftly', service: 'NOW' },
    courierPhone: '0491570156',
  }
  const moved = moveDraft(before, fitzroy, perth)
  assert.deepEqual(moved, {
    ...before,
    readyAt: '2026-11-24T13:30',
    state: 'WA',
    service: null,
    courierPhone: null,
  })
  assert.equal(moveDraft({ ...before, state: 'NSW' }, fitzroy, perth).state, 'NSW')
  assert.equal(moveDraft({ ...before, city: 'Carlton' }, fitzroy, perth).state, 'VIC')
  assert.equal(moveDraft({ ...before, readyAt: '' }, fitzroy, perth).readyAt, '')
})

test('a new delivery has input once a field other than its time and state is filled in', () => {
  const empty = emptyDraft('VIC', '2026-11-24T16:30')
  assert.equal(hasInput(empty), false)
  assert.equal(hasInput({ ...empty, readyAt: '2026-11-24T17:00', state: 'NSW' }), false)
  assert.equal(hasInput({ ...empty, firstName: 'A' }), true)
  const [first] = empty.parcels as [Draft['parcels'][number]]
  assert.equal(hasInput({ ...empty, parcels: [{ ...first, length: '30' }] }), true)
})
