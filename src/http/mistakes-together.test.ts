import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customer, type Door, deliveryBody, lineItem, parcel, quoteBody, testDoor } from '../../test/door.ts'

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
