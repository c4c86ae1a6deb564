import assert from 'node:assert/strict'
import test from 'node:test'
import type { State } from '../values.ts'
import { distanceKm, getRateZone } from './distance.ts'
import { getZoneName } from './states.ts'

const at = (state: State, lat: number, lng: number) => ({ state, lat, lng })
const melbourne = at('VIC', -37.813, 144.967)
const fitzroy = at('VIC', -37.798, 144.978)
const sydney = at('NSW', -33.8698, 151.207)
const geelong = at('VIC', -38.1466, 144.3607)
const broome = at('WA', -17.9614, 122.2359)
const canberra = at('ACT', -35.2785, 149.133)
const queanbeyan = at('NSW', -35.353, 149.2342)

test('distance is along the great circle', () => {
  const cases = [
    [melbourne, melbourne, 0],
    [melbourne, fitzroy, 1.927],
    [melbourne, sydney, 712.88],
    [at('NSW', 0, 0), at('NSW', 0, 180), 20_015.11],
  ] as const
  for (const [a, b, km] of cases) {
    assert.ok(Math.abs(distanceKm(a, b) - km) < 0.01, `${distanceKm(a, b)} is not ${km}`)
    assert.equal(distanceKm(a, b), distanceKm(b, a))
  }
})

test('the rate zone is metro within 50 km in one state, then state, then capital of another state, then rest', () => {
  const cases = [
    [melbourne, fitzroy, 'same_metro'],
    [melbourne, geelong, 'same_state'],
    [melbourne, sydney, 'interstate_capital'],
    [melbourne, queanbeyan, 'interstate_capital'],
    [melbourne, broome, 'rest'],
    [sydney, geelong, 'rest'],
    [sydney, queanbeyan, 'same_state'],
    // Near, but across the border, and the capital nearby is the store's own.
    [canberra, queanbeyan, 'rest'],
    [queanbeyan, canberra, 'interstate_capital'],
  ] as const
  for (const [store, destination, expected] of cases) assert.equal(getRateZone(store, destination), expected)
})

test('an address has its state’s time zone, except for some remote places', () => {
  const cases = [
    ['VIC', '3000', 'Australia/Melbourne'],
    ['NSW', '2880', 'Australia/Broken_Hill'],
    ['NSW', '2898', 'Australia/Lord_Howe'],
    ['NSW', '2899', 'Pacific/Norfolk'],
    ['WA', '6798', 'Indian/Christmas'],
    ['WA', '6799', 'Indian/Cocos'],
    ['NT', '0872', 'Australia/Darwin'],
    ['SA', '0872', 'Australia/Adelaide'],
    ['ACT', '2601', 'Australia/Sydney'],
    ['QLD', '4383', 'Australia/Brisbane'],
  ] as const
  for (const [state, postCode, expected] of cases) assert.equal(getZoneName(state, postCode), expected)
})
