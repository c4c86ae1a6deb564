import type { Fleet } from './fleet.ts'

/** Carriers that break their word, so that the day can be seen to notice: the product's own code knows nothing of them. */
export const PLANTS = {
  /** The courier on demand books again under a key that it has had. */
  async forgets_keys({ uberDirect }: Fleet) {
    await uberDirect.control('POST', '/repeats', { repeats: 'made_again' })
  },
  /** The post does not find what it was sent for an hour, long after it may be asked. */
  async lists_late({ auspost }: Fleet) {
    await auspost.control('POST', '/listing', { after_seconds: 3_600 })
  },
} as const satisfies Record<string, (fleet: Fleet) => Promise<void>>

export type PlantName = keyof typeof PLANTS
export const PLANT_NAMES = Object.keys(PLANTS) as PlantName[]
