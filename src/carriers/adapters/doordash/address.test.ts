import assert from 'node:assert/strict'
import test from 'node:test'
import { formatAddress, formatAddressComponents } from './address.ts'

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
