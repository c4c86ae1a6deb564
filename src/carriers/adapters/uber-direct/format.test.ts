import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import { formatDelivery } from './format.ts'
import { DEFAULTS } from './settings.ts'

const settings = DEFAULTS
const attended = { ...consignment, authorityToLeave: false }
const MINUTE_MS = 60_000

test('a delivery has both addresses, its goods, and our key in two fields', () => {
  const sent = formatDelivery(consignment, settings, false)
  assert.deepEqual(JSON.parse(sent.dropoff_address), {
    street_address: ['9 Elm St'],
    city: 'Fitzroy',
    state: 'VIC',
    zip_code: '3065',
    country: 'Australia',
  })
  assert.deepEqual([sent.external_id, sent.idempotency_key], ['dlv_01-1', 'dlv_01-1'])
  assert.deepEqual([sent.manifest_reference, sent.manifest_total_value], ['A-17', 12_950])
  assert.deepEqual(sent.manifest_items[0], {
    name: 'P1 (carton)',
    quantity: 2,
    size: 'medium',
    dimensions: { length: 30, height: 10, depth: 20 },
    weight: 2_500,
  })
})

test('the proof that is requested depends on the delivery, and is never combined with leaving at the door', () => {
  const signature = { enabled: true, collect_signer_name: true, collect_signer_relationship: true }
  const cases: [string, object, object | undefined][] = [
    ['may be left', consignment, undefined],
    ['nothing said', attended, { picture: true }],
    ['signature', { ...attended, signatureRequired: true }, { signature_requirement: signature }],
    ['an adult', { ...attended, idCheckRequired: true }, { identification: { min_age: 18 } }],
    [
      'may be left, but an adult',
      { ...consignment, idCheckRequired: true },
      { identification: { min_age: 18 } },
    ],
  ]
  for (const [name, asked, expected] of cases) {
    const sent = formatDelivery({ ...attended, ...asked }, settings, false)
    const verification = 'dropoff_verification' in sent ? sent.dropoff_verification : undefined
    assert.deepEqual(verification, expected, name)
    assert.equal(sent.deliverable_action.endsWith('leave_at_door'), expected === undefined, name)
  }
  const pin = formatDelivery(attended, { ...settings, handover_proof: 'pin' }, false)
  assert.deepEqual('dropoff_verification' in pin && pin.dropoff_verification, { pincode: { enabled: true } })
})

test('a store without a phone gets the phone of the settings', () => {
  const bare = { ...consignment, from: { ...consignment.from, phone: null } }
  assert.equal('pickup_phone_number' in formatDelivery(bare, settings, false), false)
  const sent = formatDelivery(bare, { ...settings, pickup_phone: '+61355501234' }, false)
  assert.equal(sent.pickup_phone_number, '+61355501234')
})

test('notes are cut to Uber’s limit without splitting a character', () => {
  const sent = formatDelivery({ ...consignment, specialInstructions: '🐕'.repeat(300) }, settings, false)
  // However they count: 280 of JavaScript's characters are 140 dogs.
  assert.equal(sent.dropoff_notes, '🐕'.repeat(140))
  const odd = { ...consignment, specialInstructions: `a${'🐕'.repeat(300)}` }
  assert.equal(formatDelivery(odd, settings, false).dropoff_notes, `a${'🐕'.repeat(139)}`)
})

test('only test credentials ask for robot couriers', () => {
  assert.equal('test_specifications' in formatDelivery(consignment, settings, false), false)
  assert.equal('test_specifications' in formatDelivery(consignment, settings, true), true)
})

test('a delivery that may arrive as soon as it is collected has no earliest drop-off time', () => {
  const { readyAtMs, window } = consignment
  const sentFor = (fromMs: number) =>
    formatDelivery({ ...consignment, window: { ...window, fromMs } }, settings, false)
  assert.equal('dropoff_ready_dt' in sentFor(readyAtMs), false)
  const retryLater = sentFor(readyAtMs + MINUTE_MS)
  assert.equal(Date.parse(retryLater.dropoff_ready_dt ?? ''), readyAtMs + MINUTE_MS)
})

test('the four times satisfy the rules in Uber’s reference, whatever the window', () => {
  const moment = fc
    .integer({ min: -600, max: 2_000 })
    .map((minutes) => consignment.readyAtMs + minutes * MINUTE_MS)
  fc.assert(
    fc.property(moment, moment, moment, moment, (askedAtMs, readyAtMs, fromMs, toMs) => {
      const sent = formatDelivery(
        { ...consignment, askedAtMs, readyAtMs, window: { fromMs, toMs } },
        settings,
        false,
      )
      const [pickup, pickupEnd, dropoff, dropoffEnd] = [
        sent.pickup_ready_dt,
        sent.pickup_deadline_dt,
        sent.dropoff_ready_dt ?? sent.pickup_ready_dt,
        sent.dropoff_deadline_dt,
      ].map(Date.parse) as [number, number, number, number]
      assert.ok(pickup >= askedAtMs && pickup >= readyAtMs)
      assert.ok(pickupEnd >= pickup + 10 * MINUTE_MS)
      assert.ok(pickupEnd >= askedAtMs + 20 * MINUTE_MS)
      assert.ok(dropoff <= pickupEnd)
      assert.ok(dropoffEnd >= dropoff + 20 * MINUTE_MS)
      assert.ok(dropoffEnd >= pickupEnd)
    }),
  )
})
