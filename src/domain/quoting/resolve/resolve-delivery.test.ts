import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../../test/demo-account.ts'
import { TUESDAY_TEN } from '../../../../test/jobs.ts'
import { deliveryRequest } from '../../../../test/requests.ts'
import type { DeliveryRequest } from '../../delivery/request.ts'
import { resolveDelivery } from './resolve-delivery.ts'

const demo = exampleAccount('demo-account')
const context = { sight: () => true, nowMs: TUESDAY_TEN }
const sam = { phone: '0491 570 156', driverName: 'Sam Okafor', driverId: null }

test('a delivery keeps its input, with E.164 phones and its geocoded position', () => {
  const resolved = resolveDelivery(
    demo,
    { ...deliveryRequest, useStaffCouriers: true, staffCourier: sam },
    context,
  )
  assert.ok('content' in resolved)
  assert.equal(resolved.store.reference, 'fitzroy')
  assert.equal(resolved.readyForPickupAtMs, Date.parse('2026-11-24T12:00:00+11:00'))
  const { content } = resolved
  assert.deepEqual(content.customer, { ...deliveryRequest.customer, phone: '+61491570156' })
  assert.deepEqual(content.staffCourier, { ...sam, phone: '+61491570156' })
  assert.deepEqual(content.address, deliveryRequest.address)
  assert.equal(content.destination.suburb, 'Richmond')
  assert.equal(content.deliveryMode, 'store_to_door')
})

test('a phone is parsed by the customer’s country', () => {
  const customer = { ...deliveryRequest.customer, phone: '021 123 4567', country: 'NZ' }
  const resolved = resolveDelivery(demo, { ...deliveryRequest, customer }, context)
  assert.equal('content' in resolved && resolved.content.customer.phone, '+64211234567')
})

test('reports all mistakes of a delivery at once', () => {
  const wrong: DeliveryRequest = {
    ...deliveryRequest,
    storeReference: 'nowhere-near',
    reference: 'dlv_1',
    address: { ...deliveryRequest.address, business: true, postCode: '9999' },
    customer: { ...deliveryRequest.customer, phone: '12' },
    staffCourier: { ...sam, phone: 'none' },
  }
  const resolved = resolveDelivery(demo, wrong, context)
  assert.ok('issues' in resolved)
  assert.deepEqual(
    resolved.issues.map(({ field, issue }) => `${field} ${issue}`),
    [
      'address.company_name required',
      'reference invalid_value',
      'staff_courier conflict',
      'store_reference unknown_store',
      'address.post_code unknown_place',
      'customer.phone invalid_value',
      'staff_courier.phone invalid_value',
    ],
  )
})
