import { carton } from '../loads.ts'

/** How a delivery should end, in its carrier's words. */
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

/** A kind of delivery, and its possible outcomes. */
type Kind = {
  name: string
  /** Percent of deliveries. */
  share: number
  type: string
  /** Couriers do not leave their city. */
  far: boolean
  /** Percent; the others are delivered at once. */
  journeys: readonly (readonly [Journey, number])[]
  parcels(below: (max: number) => number): object[]
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
    // More than the 20 items that an Australia Post shipment may have.
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
    // One shipment for each UN entry.
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
