import { CARTON } from '../../test/harness/orders.ts'

/** The goods of the day's deliveries, and the types that each kind may request. */
export type Load = {
  name: string
  /** Percent of deliveries. */
  share: number
  /** Null requests no type: the cheapest is used. */
  types: readonly (string | null)[]
  parcels(below: (max: number) => number): object[]
  /** Further fields of the request. */
  requirements?: Record<string, unknown>
  /** Only from this store. */
  store?: string
}

/** A parcel of 30 × 20 × 15 cm that weighs `weight` kg. */
export const carton = (weight: number, more: object = {}) => ({
  ...CARTON,
  weight_kg: weight,
  ...more,
})
const dangerous = (definition: string) => ({
  contains_dangerous_goods: true,
  dangerous_goods: { dangerous_goods_definition: definition },
})

/** Types that only couriers have: they do not leave the city. */
export const CITY_TYPES: ReadonlySet<string | null> = new Set(['fast', 'flexible'])

export const LOADS: readonly Load[] = [
  {
    name: 'small',
    share: 46,
    types: ['fast', 'flexible', 'standard', 'standard', 'express', null],
    parcels: (below) => [carton(0.5 + below(40) / 10)],
  },
  {
    name: 'several',
    share: 16,
    types: ['flexible', 'standard', 'express', null],
    parcels: (below) =>
      Array.from({ length: 2 + below(3) }, (_, index) =>
        carton(1 + below(30) / 10, { reference: `P${index + 1}` }),
      ),
  },
  {
    name: 'large',
    share: 10,
    types: ['standard', 'express'],
    parcels: (below) => [carton(8 + below(13), { length_cm: 80, width_cm: 40, height_cm: 40 })],
  },
  {
    name: 'pallet',
    share: 8,
    types: ['standard'],
    parcels: (below) => [
      carton(150 + below(600), { type: 'pallet', length_cm: 116, width_cm: 116, height_cm: 140 }),
    ],
  },
  {
    name: 'alcohol',
    share: 6,
    types: ['fast'],
    requirements: { product_types: { alcohol: true } },
    parcels: (below) => [carton(1 + below(8))],
  },
  {
    name: 'medicine',
    share: 4,
    types: ['fast', 'flexible', 'standard'],
    requirements: { product_types: { prescription_meds_s2: true } },
    parcels: () => [carton(0.4)],
  },
  {
    // No courier answers the SMS in this simulation: the offer expires, and the delivery waits for a clerk.
    name: 'staff',
    share: 2,
    types: ['flexible'],
    store: 'fitzroy',
    requirements: {
      use_staff_couriers: true,
      staff_courier: { phone: '+61491570156', driver_name: 'Sam Okafor' },
    },
    parcels: () => [carton(2)],
  },
  {
    name: 'perfume',
    share: 3,
    types: ['standard'],
    parcels: () => [carton(2, dangerous('perfumery'))],
  },
  {
    name: 'cleaner',
    share: 2,
    types: ['standard'],
    parcels: () => [carton(5, dangerous('corrosive_cleaner'))],
  },
  {
    name: 'battery',
    share: 3,
    types: ['standard', 'express'],
    parcels: () => [carton(1.5, dangerous('lithium_batteries_equipment'))],
  },
]
