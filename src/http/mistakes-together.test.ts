import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  customer,
  type Door,
  deliveryBody,
  lineItem,
  parcel,
  quoteBody,
  testDoor,
} from '../../test/door.ts'

/** A mistake that its schema tells beside one that it cannot. */
async function tells(door: Door, line: string, body: object, fields: readonly string[]): Promise<void> {
  const { status, json } = await door.call(line, { body })
  assert.deepEqual([status, json.errors?.map(toldOf)], [422, fields], line)
}

function toldOf({ field, issue }: { field: string; issue: string }): string {
  return `${field} ${issue}`
}

test('what only the account knows of a request is told together with what its schema tells', async (t) => {
  const door = await testDoor(t, { work: false })
  const { email: _, ...noEmail } = customer
  const pickup = { store_reference: 'brisbane-cbd', delivery_mode: 'customer_pickup' }
  const notClass = { dangerous_goods_definition: 'lithium_batteries_equipment', class_division: 2.7 }
  const dangerous = { ...parcel, contains_dangerous_goods: true, dangerous_goods: notClass }

  await tells(door, 'POST /demo/deliveries', deliveryBody({ ...pickup, customer: noEmail }), [
    'customer.email required',
    'delivery_mode not_enabled',
  ])
  await tells(
    door,
    'POST /demo/deliveries',
    deliveryBody({ ready_for_pickup_at: '2025-11-20T10:00+11:00', parcels: [dangerous], metadata: { a: 1 } }),
    [
      'metadata.a invalid_type',
      'ready_for_pickup_at out_of_range',
      'parcels[0].dangerous_goods.class_division invalid_value',
    ],
  )
  for (const verb of ['quote-next-available', 'quote/availability']) {
    await tells(door, `POST /demo/deliveries/${verb}`, { ...quoteBody, ...pickup, line_items: [] }, [
      'line_items too_short',
      'delivery_mode not_enabled',
    ])
  }
  await tells(
    door,
    'POST /demo/deliveries/quote/allocation',
    { address: { latitude: -37.8 }, ready_for_pickup_at: '2031-06-01T10:00', store_references: ['nope'] },
    ['address.longitude required', 'ready_for_pickup_at out_of_range', 'store_references[0] unknown_store'],
  )
})

test('an amend hears at once of a time out of range and of what its schema tells', async (t) => {
  const door = await testDoor(t, { work: false })
  const made = await door.call('POST /demo/deliveries', { body: deliveryBody({ reference: 'AMEND-1' }) })
  assert.equal(made.status, 201)
  await tells(
    door,
    'PATCH /demo/deliveries/AMEND-1/amend',
    { ready_for_pickup_at: '2031-06-01T10:00', line_items: [{ ...lineItem, quantity: 0 }] },
    ['line_items[0].quantity out_of_range', 'ready_for_pickup_at out_of_range'],
  )
})

test('a link hears at once that its time has passed', async (t) => {
  const door = await testDoor(t, { work: false })
  const body = {
    store_reference: 'melbourne-cbd',
    reference: 'LINK-1',
    expires_at: '2026-11-23T10:00',
    address,
    customer,
    line_items: [lineItem],
    parcels: [parcel],
  }
  await tells(door, 'POST /demo/links', { ...body, line_items: [] }, [
    'line_items too_short',
    'expires_at out_of_range',
  ])
  await tells(door, 'POST /demo/links', { ...body, customer: { ...customer, phone: '12' } }, [
    'customer.phone invalid_value',
    'expires_at out_of_range',
  ])
  await tells(door, 'POST /demo/links', { ...body, store_reference: 'nope' }, [
    'store_reference unknown_store',
    'expires_at out_of_range',
  ])
})

test('a staff courier’s store and phone are judged together with what is missing', async (t) => {
  const door = await testDoor(t, { work: false })
  await tells(door, 'POST /demo/staff-couriers', { store_reference: 'nope', phone: '12' }, [
    'driver_name required',
    'store_reference unknown_store',
    'phone invalid_value',
  ])
  await tells(door, 'POST /demo/staff-couriers', { phone: '0491 570 156', active: 'yes' }, [
    'driver_name required',
    'active invalid_type',
    'store_reference required',
  ])
  await tells(door, 'POST /demo/staff-couriers', { store_id: 7, phone: '0491 570 156', driver_name: 'A' }, [
    'store_id invalid_type',
  ])
  await tells(door, 'PATCH /demo/staff-couriers/cou_any', { phone: '12', active: 'yes' }, [
    'active invalid_type',
    'phone invalid_value',
  ])
  await tells(door, 'PATCH /demo/deliveries/any/assign', { staff_courier: { phone: '12' } }, [
    'staff_courier.driver_name required',
    'staff_courier.phone invalid_value',
  ])
})

test('a webhook endpoint’s address and its event types are judged together', async (t) => {
  const door = await testDoor(t, { work: false, allowPrivateWebhooks: false })
  const body = { url: 'http://localhost/hook', event_types: ['delivery.bookd'] }
  const both = ['event_types[0] invalid_value', 'url invalid_value']
  await tells(door, 'POST /demo/webhook-endpoints', body, both)
  await tells(door, 'PATCH /demo/webhook-endpoints/whk_any', body, both)
  await tells(door, 'POST /demo/webhook-endpoints', { url: 7, event_types: [] }, [
    'url invalid_type',
    'event_types too_short',
  ])
})
