import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DecisionAnswer, Delivery } from '../../shared/api.generated.ts'
import { type Eligible, formatBillingBasis, nowSentence, whySentence } from './decision-texts.ts'

const air = { eligible: true, service: 'AIR', carrier_code: 'SP-AIR', price_cents: 1872 }
const road = { eligible: true, service: 'ROAD', carrier_code: 'SP-ROAD', price_cents: 2627 }
const sentence = (carrier_code: string, services: object[], attempts: object[] = []) =>
  whySentence(
    { carrier_code } as Delivery,
    { explanation: { services }, attempts } as unknown as DecisionAnswer['data'],
  )

const unbooked = (services: object[]) =>
  whySentence(
    {} as Delivery,
    { explanation: { services }, attempts: [] } as unknown as DecisionAnswer['data'],
  )

test('the choice shows its reason and the price difference', () => {
  const refused = { service: 'AIR', state: 'rejected', message: 'full' }
  for (const [message, wanted] of [
    [
      sentence('SP-AIR', [road, air]),
      'The cheapest of the 2 services that can take this delivery: $7.55 less than ROAD.',
    ],
    [sentence('SP-AIR', [air]), 'AIR is the only service that can take this delivery.'],
    [
      sentence('SP-ROAD', [air, road], [refused]),
      'AIR would have cost $7.55 less but refused the delivery, saying “full”.',
    ],
    [sentence('SP-ROAD', [air, road]), '$7.55 more than AIR. Your settings put this service first.'],
    [
      sentence('SP-AIR', [air, { ...road, price_cents: 1872 }]),
      'No cheaper service can take this delivery; ROAD costs the same.',
    ],
    [
      sentence('SP-ROAD', [air, { ...road, price_cents: 1872 }], [{ ...refused, message: 'Full today.' }]),
      'AIR would have cost the same but refused the delivery, saying “Full today”.',
    ],
    [sentence('SP-ROAD', []), null],
    [unbooked([]), null],
    [unbooked([{ eligible: false }]), 'No service can take this delivery. The reasons are below.'],
    [unbooked([air]), 'No carrier has accepted this delivery.'],
  ]) {
    assert.equal(message, wanted)
  }
})

test('the current best option is compared with the one that was chosen', () => {
  const [then, now] = [air, road] as unknown as Eligible[]
  for (const [options, before, wanted] of [
    [[], then, 'No service can take this delivery right now.'],
    [[then, now], then, 'Still AIR, at the same price.'],
    [[{ ...then, price_cents: 1900 }], then, 'Still AIR, now $0.28 more.'],
    [[now, then], then, 'ROAD would be chosen now, for $7.55 more than AIR cost.'],
    [[{ ...now, price_cents: 1872 }], then, 'ROAD would be chosen now, at the same price as AIR.'],
    [[now], undefined, 'ROAD would be chosen now, for $26.27.'],
  ] as const) {
    assert.equal(nowSentence(options as readonly unknown[] as Eligible[], before), wanted)
  }
})

test('the charge names its basis, and explains a chargeable weight', () => {
  const lamp = { length_cm: 30, width_cm: 22, height_cm: 18, weight_kg: 2.4, quantity: 1 }
  const bulky = '2.97 kg by volume (30 × 22 × 18 cm; the parcel weighs 2.4 kg)'
  for (const [on, parcels, wanted] of [
    [undefined, [lamp], null],
    [{}, [lamp], null],
    [{ weight_kg: 2.4 }, [lamp], 'Charged for 2.4 kg'],
    [{ weight_kg: 2.97 }, [lamp], `Charged for ${bulky}`],
    [{ distance_km: 4.21, weight_kg: 2.97 }, [lamp], `Charged for 4.2 km and ${bulky}`],
    [
      { weight_kg: 5.94 },
      [{ ...lamp, quantity: 2 }],
      'Charged for 5.94 kg by volume (the parcels weigh 4.8 kg)',
    ],
    [{ distance_km: 12 }, [lamp], 'Charged for 12 km'],
  ] as const) {
    assert.equal(formatBillingBasis(on, parcels as unknown as Delivery['parcels']), wanted)
  }
})
