import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import { formatAddress, formatAddressComponents, formatDelivery, formatQuote } from './format.ts'
import { DEFAULTS } from './settings.ts'

const settings = DEFAULTS
const attended = { ...consignment, authorityToLeave: false }

test('a delivery has our key as its id and one-line addresses', () => {
  const sent = formatDelivery(consignment, settings)
  assert.equal(sent.external_delivery_id, 'dlv_01-1')
  assert.equal(sent.pickup_address, '200 Bourke St, Melbourne VIC 3000, Australia')
  assert.deepEqual([sent.dropoff_contact_given_name, sent.dropoff_contact_family_name], ['Ana', 'Lim'])
  assert.deepEqual([sent.order_value, sent.currency], [12_950, 'AUD'])
  assert.deepEqual(sent.items[0], { name: 'P1 (carton)', quantity: 2, external_id: 'P1' })
})

test('a unit comes before its street, and a single name is accepted', () => {
  const to = { ...consignment.to, address2: 'Unit 4', name: 'Prince' }
  const sent = formatDelivery({ ...consignment, to }, settings)
  assert.match(sent.dropoff_address, /^Unit 4, 9 Elm St, Fitzroy VIC 3065/)
  const parts = formatDelivery({ ...consignment, to: { ...to, country: 'AU' } }, settings)
  assert.equal(parts.dropoff_address_components?.sub_premise, 'Unit 4')
  assert.equal(parts.dropoff_address_components?.street_address, '9 Elm St')
  assert.equal(sent.dropoff_contact_given_name, 'Prince')
  assert.equal('dropoff_contact_family_name' in sent, false)
})

test('pickup is when the goods are ready, never in the past', () => {
  const late = { ...consignment, askedAtMs: consignment.readyAtMs + 60_000 }
  assert.equal(Date.parse(formatDelivery(consignment, settings).pickup_time), consignment.readyAtMs)
  assert.equal(Date.parse(formatDelivery(late, settings).pickup_time), late.askedAtMs)
})

test('the proof that is requested depends on the delivery', () => {
  const photo = { proof_of_delivery: 'photo_required' }
  const cases: [string, object, boolean, object][] = [
    ['may be left', consignment, true, photo],
    ['nothing said', attended, false, photo],
    ['signature', { ...attended, signatureRequired: true }, false, { signature: 'required' }],
    ['may be left, but an adult', { idCheckRequired: true }, false, { id_verification: 'required' }],
  ]
  for (const [name, changes, alone, options] of cases) {
    const sent = formatDelivery({ ...consignment, ...changes }, settings)
    assert.deepEqual([sent.contactless_dropoff, sent.dropoff_options], [alone, options], name)
  }
})

test('a quote has the same proof of delivery as its booking', () => {
  const end = { ...consignment.to, business: false }
  const ask = { ...consignment, carrierCodes: ['NOW'], from: end, to: end }
  const proofs: object[] = [{}, { signatureRequired: true }, { idCheckRequired: true }]
  for (const changes of proofs) {
    const { dropoff_options } = formatQuote({ ...ask, ...changes }, 'q', settings, 0)
    assert.deepEqual(
      dropoff_options,
      formatDelivery({ ...consignment, ...changes }, settings).dropoff_options,
    )
  }
})

test('an item has at most 100 units and a name of at most 100 characters', () => {
  const [parcel] = consignment.parcels
  const itemsOf = (changes: object) =>
    formatDelivery({ ...consignment, parcels: [{ ...parcel!, ...changes }] }, settings).items
  assert.deepEqual(
    itemsOf({ quantity: 250 }).map(({ quantity }) => quantity),
    [100, 100, 50],
  )
  const [named] = itemsOf({ reference: 'R'.repeat(120) })
  assert.deepEqual([named?.name.length, named?.external_id.length], [100, 100])
})

test('the Dasher’s instructions include every requirement that they must meet', () => {
  const sent = formatDelivery({ ...consignment, productTypes: ['alcohol', 'prescription_meds_s2'] }, settings)
  assert.deepEqual(sent.order_contains, {
    alcohol: true,
    tobacco: false,
    pharmacy_items: true,
    age_restricted_pharmacy_items: false,
  })
})

const fitzroy = { city: 'Fitzroy', state: 'VIC', postCode: '3065', country: 'AU' }

test('a unit is separated from its street in every common spelling', () => {
  const cases: [address: string, address2: string | null, street: string, unit: string | undefined][] = [
    ['9 Elm St', null, '9 Elm St', undefined],
    ['9 Elm St', 'Unit 4', '9 Elm St', 'Unit 4'],
    ['9 Elm St', 'apt. 4B', '9 Elm St', 'apt. 4B'],
    ['9 Elm St', '12', '9 Elm St', '12'],
    ['9 Elm St', 'U5', '9 Elm St', 'U5'],
    ['9 Elm St', 'Level 3, Suite 12', '9 Elm St', 'Level 3, Suite 12'],
    ['9 Elm St', 'Elm Tower', '9 Elm St, Elm Tower', undefined],
    ['9 Elm St', 'Ultimo House', '9 Elm St, Ultimo House', undefined],
    ['21/17 Jones St', null, '17 Jones St', '21'],
    ['21 / 17  Jones St', null, '17 Jones St', '21'],
    ['Unit 21/17 Jones St', null, '17 Jones St', 'Unit 21'],
    ['Unit 5, 12 Beach Rd', null, '12 Beach Rd', 'Unit 5'],
    ['Unit 5 12-14 Beach Rd', null, '12-14 Beach Rd', 'Unit 5'],
    ['Level 3 Suite 2, 120 Collins St', null, '120 Collins St', 'Level 3 Suite 2'],
    ['2/9 Elm St', 'Level 1', '9 Elm St', 'Level 1, 2'],
    ['12-14 Beach Rd', null, '12-14 Beach Rd', undefined],
    ['Lot 5 Unit Rd', null, 'Lot 5 Unit Rd', undefined],
    ['The Esplanade', null, 'The Esplanade', undefined],
  ]
  for (const [address, address2, street, unit] of cases) {
    const components = formatAddressComponents({ ...fitzroy, address, address2 })
    assert.deepEqual([components?.street_address, components?.sub_premise], [street, unit], address)
  }
})

test('address parts have the names of DoorDash’s Australian form', () => {
  assert.deepEqual(formatAddressComponents({ ...fitzroy, address: '5/9 Elm St', address2: null }), {
    street_address: '9 Elm St',
    sub_premise: '5',
    locality: 'Fitzroy',
    territory: 'VIC',
    postal_code: '3065',
    country: 'AU',
  })
})

test('an address without a street, with an ambiguous slash or abroad stays one line', () => {
  const quoted = { ...fitzroy, address: null, address2: null }
  assert.equal(formatAddressComponents(quoted), null)
  assert.equal(formatAddress(quoted), 'Fitzroy VIC 3065, AU')
  for (const changes of [{ address: 'C/- Post Office' }, { address: '3/5/12 Elm St' }, { country: 'NZ' }]) {
    const stop = { ...fitzroy, address: '9 Elm St', address2: null, ...changes }
    assert.equal(formatAddressComponents(stop), null, JSON.stringify(changes))
  }
})
