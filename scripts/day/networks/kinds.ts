import { carton } from '../loads.ts'

/** How a delivery is to end, in the words of whoever carries it. */
export type Journey =
  | 'delivered'
  | 'safe_place'
  | 'carded'
  | 'redelivered'
  | 'refused'
  | 'undeliverable'
  | 'courier_cancels'
  | 'attempted'
  | 'coming_back'

/** What a delivery of the day is, and what may become of it. */
type Kind = {
  name: string
  /** Of a hundred deliveries. */
  share: number
  type: string
  /** Couriers go no further than their city. */
  far: boolean
  /** Of a hundred: the others are delivered at once. */
  journeys: readonly (readonly [Journey, number])[]
  parcels(below: (most: number) => number): object[]
}

const POSTED = [
  ['safe_place', 4],
  ['carded', 4],
  ['redelivered', 4],
  ['refused', 3],
] as const
const CARRIED = [
  ['undeliverable', 5],
  ['courier_cancels', 3],
] as const

const dangerous = (reference: string, dangerous_goods_definition: string) =>
  carton(2, { reference, contains_dangerous_goods: true, dangerous_goods: { dangerous_goods_definition } })

export const KINDS: readonly Kind[] = [
  {
    name: 'parcel',
    share: 14,
    type: 'standard',
    far: true,
    journeys: POSTED,
    parcels: (below) => [carton(0.5 + below(40) / 10)],
  },
  {
    name: 'express',
    share: 6,
    type: 'express',
    far: true,
    journeys: POSTED,
    parcels: (below) => [carton(0.5 + below(30) / 10)],
  },
  {
    // More than the 20 that a shipment of Australia Post may hold.
    name: 'many',
    share: 1,
    type: 'standard',
    far: true,
    journeys: POSTED,
    parcels: () => [carton(1, { quantity: 25 })],
  },
  {
    name: 'pallet',
    share: 5,
    type: 'standard',
    far: true,
    journeys: POSTED,
    parcels: (below) => [
      carton(120 + below(400), { type: 'pallet', length_cm: 116, width_cm: 116, height_cm: 120 }),
    ],
  },
  {
    // A shipment of its own for each UN entry.
    name: 'dangerous',
    share: 2,
    type: 'standard',
    far: true,
    journeys: POSTED,
    parcels: () => [dangerous('P1', 'perfumery'), dangerous('P2', 'corrosive_cleaner')],
  },
  {
    name: 'now',
    share: 50,
    type: 'fast',
    far: false,
    journeys: CARRIED,
    parcels: (below) => [carton(0.5 + below(60) / 10)],
  },
  {
    name: 'van',
    share: 22,
    type: 'flexible',
    far: false,
    journeys: [
      ['attempted', 6],
      ['coming_back', 4],
    ],
    parcels: (below) => [carton(1 + below(20)), carton(2, { reference: 'P2', quantity: 1 + below(3) })],
  },
]
