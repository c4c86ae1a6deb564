import type { Fleet } from './fleet.ts'

/** Faulty carriers, to test that the day detects them: the product's own code does not know about them. */
export const SEEDED_BUGS = {
  /** The on-demand courier books again under a used key. */
  async forgets_keys({ uberDirect }: Fleet) {
    await uberDirect.control('POST', '/repeats', { repeats: 'made_again' })
  },
  /** Australia Post's list lacks a new shipment for an hour, long after we stop looking. */
  async lists_late({ auspost }: Fleet) {
    await auspost.control('POST', '/listing', { after_seconds: 3_600 })
  },
} as const satisfies Record<string, (fleet: Fleet) => Promise<void>>

export type SeededBugName = keyof typeof SEEDED_BUGS
export const SEEDED_BUG_NAMES = Object.keys(SEEDED_BUGS) as SeededBugName[]
