import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { exampleAccount } from '../../../test/demo-account.ts'
import { RateCardDocument } from '../account/document/document-rate-card.ts'
import { findZone } from '../account/rate-card.ts'
import { compileRateCard } from '../account/snapshot/compile-carrier.ts'
import { pathText } from '../account/validation/mistake.ts'
import { rateCardMistakes } from '../account/validation/rate-card-mistakes.ts'
import { toFacts } from './facts.ts'
import type { Job, JobParcel } from './job.ts'
import { cardLines } from './price.ts'

const document = {
  zones: { metro: ['3000-3207', '3220'], country: ['3208-3219', '3221-3999'] },
  rates: [
    { zone: 'metro', up_to_kg: 25, cents: 1_450, cents_per_extra_kg: 60 },
    { zone: 'metro', up_to_kg: 5, cents: 950 },
    { zone: 'country', up_to_kg: 25, cents: 2_400 },
  ],
  surcharges: [
    { name: 'Long piece', over_cm: 120, cents: 1_500 },
    { name: 'Home', when: 'residential', cents: 300 },
    { name: 'Fuel', percent: 10 },
  ],
}
const card = compileRateCard(RateCardDocument.parse(document))
const store = exampleAccount('demo-account').storeByReference.get('fitzroy')!
const box: JobParcel = {
  reference: 'P1',
  type: 'carton',
  lengthCm: 10,
  widthCm: 10,
  heightCm: 10,
  weightKg: 5,
  quantity: 1,
  dangerousGoods: null,
}

function lines(postCode: string, parcels: JobParcel[], residential = false) {
  const destination = { ...place, postCode, residential }
  const job = {
    ...{ store, parcels, destination },
    productTypes: new Set(),
    declaredValueCents: null,
  } as unknown as Job
  return (
    cardLines(card, job, toFacts(job))?.map(({ name, cents, detail }) => `${name} ${cents} ${detail}`) ?? null
  )
}
const place = { lat: -37.8, lng: 144.9, suburb: null, state: 'VIC' as const, warning: null }

test('a job costs its zone and weight price plus surcharges, in the list’s order', () => {
  assert.deepEqual(lines('3220', [box], true), [
    'zone 950 metro, up to 5 kg',
    'surcharge 300 Home',
    'surcharge 125 Fuel',
  ])
  const long = { ...box, lengthCm: 130, quantity: 2 }
  assert.deepEqual(lines('3000', [long]), [
    'zone 1450 metro, up to 25 kg',
    'surcharge 3000 Long piece, 2 pieces',
    'surcharge 445 Fuel',
  ])
})

test('the last weight step continues if it has a price per kg, and ends otherwise', () => {
  assert.deepEqual(lines('3000', [{ ...box, weightKg: 30 }])?.slice(0, 2), [
    'zone 1450 metro, up to 25 kg',
    'weight 300 over 25 kg, 60 c/kg',
  ])
  assert.equal(lines('3500', [{ ...box, weightKg: 30 }]), null)
})

test('bulky parcels are charged by their volume', () => {
  // 0.1 m³ at 250 kg/m³.
  const bulky = { ...box, lengthCm: 100, widthCm: 100, heightCm: 10, weightKg: 1 }
  assert.deepEqual(lines('3500', [bulky])?.[0], 'zone 2400 country, up to 25 kg')
  assert.equal(lines('3500', [{ ...bulky, heightCm: 11 }]), null)
})

test('a postcode is in the zone whose range includes it', () => {
  const naive = (code: number) =>
    Object.entries(document.zones).find(([, ranges]) =>
      ranges.some((range) => {
        const [from = '', to = from] = range.split('-')
        return code >= Number(from) && code <= Number(to)
      }),
    )?.[0] ?? null
  fc.assert(
    fc.property(fc.integer({ min: 2_990, max: 4_010 }), (code) => {
      assert.equal(findZone(card, `${code}`), naive(code))
    }),
  )
})

test('checks a card’s lines against each other, with each mistake at its line', () => {
  const odd = {
    zones: { metro: ['3000-3207'], again: ['3207', '3300-3200'], bare: ['3400'] },
    rates: [
      { zone: 'metro', up_to_kg: 5, cents: 950 },
      { zone: 'metro', up_to_kg: 5, cents: 990 },
      { zone: 'again', up_to_kg: 5, cents: 990 },
      { zone: 'moon', up_to_kg: 5, cents: 990 },
    ],
    surcharges: [{ name: 'Free' }, { name: 'Both', when: 'residential', over_kg: 20, cents: 5 }],
  }
  assert.deepEqual([...rateCardMistakes(odd, ['card'])].map(({ path }) => pathText(path)).sort(), [
    'card.rates[1].up_to_kg',
    'card.rates[3].zone',
    'card.surcharges[0]',
    'card.surcharges[1]',
    'card.zones.again[0]',
    'card.zones.again[1]',
    'card.zones.bare',
  ])
  assert.deepEqual([...rateCardMistakes(document, [])], [])
  for (const shape of [null, 5, [], { zones: 5, rates: {} }, { zones: { a: 'x' }, rates: [null] }]) {
    assert.ok([...rateCardMistakes(shape, [])].length >= 0)
  }
})
