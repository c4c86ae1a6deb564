import assert from 'node:assert/strict'
import test from 'node:test'
import { distanceKm } from './distance.ts'
import { type Located, locate, type PlaceIssue } from './localities.ts'

const found = (city: string, state: string, postCode: string): Located => {
  const place = locate({ city, state, postCode })
  if ('field' in place) assert.fail(`${city} ${state} ${postCode}: ${place.message}`)
  return place
}
const issue = (city: string, state: string, postCode: string): PlaceIssue => {
  const place = locate({ city, state, postCode })
  if (!('field' in place)) assert.fail(`${city} ${state} ${postCode} was found`)
  return place
}

test('suburbs have their positions', () => {
  const cases = [
    ['Melbourne', 'VIC', '3000', -37.813, 144.967, 1.5],
    ['Fitzroy', 'VIC', '3065', -37.798, 144.978, 1],
    ['Sydney', 'NSW', '2000', -33.8698, 151.207, 1],
    ['Parramatta', 'NSW', '2150', -33.817, 151.003, 1],
    ['Brisbane City', 'QLD', '4000', -27.469, 153.025, 1],
    ['Adelaide', 'SA', '5000', -34.9225, 138.603, 1.5],
    ['Perth', 'WA', '6000', -31.954, 115.857, 1],
    ['Hobart', 'TAS', '7000', -42.882, 147.328, 1],
    ['Canberra', 'ACT', '2601', -35.2785, 149.133, 1],
    ['Darwin City', 'NT', '0800', -12.4634, 130.8456, 1],
    ['Geelong', 'VIC', '3220', -38.1466, 144.3607, 1],
    ['Cairns City', 'QLD', '4870', -16.9203, 145.771, 2],
    ['Newcastle', 'NSW', '2300', -32.9272, 151.7812, 2],
    ['Broken Hill', 'NSW', '2880', -31.9539, 141.4539, 2],
    ['Alice Springs', 'NT', '0870', -23.698, 133.8807, 2],
    ['Minto', 'VIC', '3551', -36.77, 144.34, 60],
    ['Norfolk Island', 'NSW', '2899', -29.034, 167.953, 5],
  ] as const
  for (const [city, state, postCode, lat, lng, km] of cases) {
    const place = found(city, state, postCode)
    assert.deepEqual(
      [place.suburb, place.state, place.postCode, place.warning],
      [city, state, postCode, null],
    )
    assert.ok(distanceKm(place, { lat, lng }) <= km, `${city} at ${place.lat}, ${place.lng}`)
  }
})

test('spelling does not matter: case, spaces, hyphens, apostrophes, Mt and St', () => {
  const cases = [
    ['MELBOURNE', 'vic', '3000', 'Melbourne'],
    [' melbourne ', 'Vic', '3000', 'Melbourne'],
    ['Mt Stuart', 'TAS', '7000', 'Mount Stuart'],
    ['Mt. Stuart', 'TAS', '7000', 'Mount Stuart'],
    ['Saint Kilda', 'VIC', '3182', 'St Kilda'],
    ['oconnor', 'ACT', '2602', "O'Connor"],
    ['O’Connor', 'ACT', '2602', "O'Connor"],
    ['Brighton le Sands', 'NSW', '2216', 'Brighton-le-Sands'],
    ['mcmahons point', 'NSW', '2060', 'McMahons Point'],
  ] as const
  for (const [city, state, postCode, suburb] of cases)
    assert.equal(found(city, state, postCode).suburb, suburb)
})

test('an unknown suburb gets its postcode’s centre, with a warning', () => {
  const place = found('Atlantis', 'NSW', '2000')
  assert.equal(place.suburb, null)
  assert.equal(
    place.warning,
    'Atlantis is not a suburb of 2000 that we know; took the middle of the postcode.',
  )
  assert.ok(distanceKm(place, found('Sydney', 'NSW', '2000')) < 2)
  assert.ok(distanceKm(found('Atlantis', 'ACT', '2540'), found('Jervis Bay', 'ACT', '2540')) < 5)
})

test('a known suburb with the postcode of another is accepted within 50 km, with both named', () => {
  const place = found('Footscray', 'VIC', '3071')
  assert.equal(place.suburb, null)
  assert.equal(
    place.warning,
    'Footscray is 3011 in VIC; 3071 is Thornbury. We went by the postcode: check the address.',
  )
  assert.ok(distanceKm(place, found('Thornbury', 'VIC', '3071')) < 2)
  assert.match(
    found('Melbourne', 'VIC', '3121').warning ?? '',
    /^Melbourne is 30\d\d in VIC; 3121 is .*Richmond/,
  )
  assert.equal(found('Richmond', 'VIC', '3121').warning, null)
})

test('a known suburb over 50 km from the postcode is an issue that names both', () => {
  assert.match(
    issue('Footscray', 'VIC', '3550').message,
    /^Footscray is 3011 in VIC; 3550 is .*Bendigo.*, 1\d\d km away\. Correct the suburb or the postcode\.$/,
  )
  assert.equal(issue('Perth', 'VIC', '3000').field, 'post_code')
})

test('a suburb across the border of a shared postcode is found, with a warning', () => {
  const place = found('Wallangarra', 'NSW', '4383')
  assert.deepEqual(
    [place.suburb, place.state, place.warning],
    ['Wallangarra', 'QLD', 'Wallangarra 4383 is in QLD.'],
  )
})

test('a state that contradicts its postcode is rejected with the postcode’s suburbs', () => {
  assert.deepEqual(issue('Melbourne', 'NSW', '3000'), {
    field: 'post_code',
    message: '3000 is in VIC, not in NSW: Melbourne.',
  })
  assert.match(
    issue('Sydney', 'VIC', '2000').message,
    /^2000 is in NSW, not in VIC: Barangaroo, .+ and 1 more\.$/,
  )
})

test('unknown states, unknown and box postcodes and blank suburbs are refused', () => {
  const cases = [
    ['Melbourne', 'Narnia', '3000', 'state'],
    ['Melbourne', '', '3000', 'state'],
    ['Melbourne', 'VIC', '9999', 'post_code'],
    ['Melbourne', 'VIC', '300', 'post_code'],
    ['Melbourne', 'VIC', '8001', 'post_code'],
    ['Darwin', 'NT', '0801', 'post_code'],
    ['Melbourne', 'VIC', '__proto__', 'post_code'],
    [' - ', 'VIC', '3000', 'city'],
  ] as const
  for (const [city, state, postCode, field] of cases) {
    assert.equal(issue(city, state, postCode).field, field, `${city} ${state} ${postCode}`)
  }
})

test('a postcode for PO boxes only is accepted for boxes and lockers, and rejected for streets', () => {
  const cases = [
    ['Melbourne', 'VIC', '3001', -37.813, 144.967],
    ['Sydney', 'NSW', '2001', -33.8698, 151.207],
    ['Darwin', 'NT', '0801', -12.4634, 130.8456],
    ['Ballarat', 'VIC', '3353', -37.5622, 143.8503],
  ] as const
  for (const [city, state, postCode, lat, lng] of cases) {
    const place = locate({ city, state, postCode }, 'po_box')
    if ('field' in place) assert.fail(place.message)
    assert.equal(place.suburb, city)
    assert.ok(distanceKm(place, { lat, lng }) < 3, `${city} at ${place.lat}, ${place.lng}`)
    assert.match(issue(city, state, postCode).message, new RegExp(`^${postCode} has post office boxes only`))
  }
  const wrongState = locate({ city: 'Melbourne', state: 'NSW', postCode: '3001' }, 'po_box')
  assert.ok('field' in wrongState && wrongState.field === 'post_code')
})
