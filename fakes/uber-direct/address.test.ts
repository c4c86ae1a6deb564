import assert from 'node:assert/strict'
import test from 'node:test'
import { kilometresBetween } from '../places.ts'
import { readAddress } from './address.ts'

test('parses an address as a JSON string and with commas', () => {
  const written = 'Shop 3, 200 Bourke St, Melbourne, VIC 3000, AU'
  const structured = JSON.stringify({
    street_address: ['Shop 3', '200 Bourke St'],
    city: 'Melbourne',
    state: 'VIC',
    zip_code: '3000',
    country: 'AU',
  })
  for (const given of [
    structured,
    written,
    'Shop 3, 200 Bourke St, Melbourne, VIC 3000',
    'Shop 3, 200 Bourke St, Melbourne, VIC, 3000',
  ]) {
    assert.equal(readAddress(given, null)?.text, written, given)
  }
  assert.equal(readAddress(structured, null)?.detailed.street_address_2, '200 Bourke St')
  for (const given of ['', 'Melbourne', '{}', '{"street_address":[]}', 'a, b', 'x, London, SW1A 1AA, GB']) {
    assert.equal(readAddress(given, null), null, given)
  }
})

test('an address has its coordinates, or is near its state’s capital', () => {
  const carlton = '12 Rathdowne St, Carlton, VIC 3053'
  const there = { lat: -37.8, lng: 144.97 }
  assert.deepEqual(readAddress(carlton, there)?.place, there)
  const placeOfText = readAddress(carlton, null)?.place
  assert.ok(placeOfText && kilometresBetween(placeOfText, { lat: -37.8136, lng: 144.9631 }) < 6)
  assert.deepEqual(readAddress(carlton, null)?.place, placeOfText)
  assert.notDeepEqual(readAddress('14 Rathdowne St, Carlton, VIC 3053', null)?.place, placeOfText)
})
