import { parcel } from './api.ts'

const HUGE_PALLET = { length_cm: 3_000, width_cm: 3_000, height_cm: 3_000, weight_kg: 300, quantity: 1 }

/** Fields of a delivery that costs more than 2^31 cents with the demo account's freight carrier. */
export const HUGE_DELIVERY = {
  parcels: Array.from({ length: 9 }, (_, index) => ({
    ...{ ...parcel, ...HUGE_PALLET, type: 'pallet' },
    reference: `PALLET-${index + 1}`,
  })),
}
