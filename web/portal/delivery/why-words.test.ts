import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DecisionAnswer, Delivery } from '../../shared/api.generated.ts'
import { whySentence } from './why-words.ts'

const air = { eligible: true, service: 'AIR', carrier_code: 'SP-AIR', price_cents: 1872 }
const road = { eligible: true, service: 'ROAD', carrier_code: 'SP-ROAD', price_cents: 2627 }
const sentence = (carrier_code: string, services: object[], attempts: object[] = []) =>
  whySentence(
    { carrier_code } as Delivery,
    { explanation: { services }, attempts } as unknown as DecisionAnswer['data'],
  )

test('the reason is named, with the difference', () => {
  const refused = { service: 'AIR', state: 'rejected', said: 'full' }
  for (const [said, wanted] of [
    [sentence('SP-AIR', [road, air]), 'The cheapest of the 2 that may carry it: $7.55 less than ROAD.'],
    [sentence('SP-AIR', [air]), 'AIR is the only one that may carry it.'],
    [
      sentence('SP-ROAD', [air, road], [refused]),
      'AIR would have cost $7.55 less, but refused it, saying “full”.',
    ],
    [sentence('SP-ROAD', [air, road]), '$7.55 dearer than AIR: your account chooses in an order of its own.'],
    [sentence('SP-ROAD', []), null],
  ]) {
    assert.equal(said, wanted)
  }
})
