import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeText } from './place-text.ts'

test('a field of the document is called by the names of its parts', () => {
  const document = {
    stores: [{ reference: 'a' }, { reference: 'fitzroy', name: 'Fitzroy', closures: [{ from: '' }] }],
    carriers: [{ name: 'Swiftly', services: [{ service: 'NOW' }] }],
  }
  for (const [field, text] of [
    ['stores[1].hours.mon', 'Fitzroy, hours, Monday:'],
    ['stores[0].address.post_code', 'A, address, postcode:'],
    ['stores[1].closures[0].from', 'Fitzroy, closure 1, from:'],
    ['carriers[0].services[0].price.base_cents', 'Swiftly, NOW, price, base price:'],
    ['name', 'Name:'],
    ['stores[3].phone', 'Store 4, phone:'],
    ['', ''],
  ] as const) {
    assert.equal(placeText(document, field), text)
  }
})
