import type { Networks } from '../../../test/harness/networks.ts'
import type { SeededBug } from '../../../test/harness/seeded-bugs.ts'
import type { PROMISES } from './promises.ts'

type CarrierBug = SeededBug<keyof typeof PROMISES> & { seed(networks: Networks): Promise<void> }

/** Faulty carriers, to test that the day detects them: the product's own code does not know about them. */
export const SEEDED_BUGS = {
  /**
   * The on-demand courier books again under a used key. It also loses its webhooks: one of them would tell Drover of the
   * first booking before Drover repeats the request.
   */
  forgets_keys: {
    async seed({ uber_direct: uberDirect }) {
      await uberDirect.control('POST', '/repeats', { repeats: 'made_again' })
      await uberDirect.control('POST', '/webhook-troubles', { lost_every: 1 })
    },
    breaks: 'No delivery is booked twice: bookings in the carriers’ own ledgers',
  },
  /** Australia Post's list lacks a new shipment for three days: Drover looks for an abandoned booking for two. */
  lists_late: {
    async seed({ auspost }) {
      await auspost.control('POST', '/listing', { after_seconds: 3 * 24 * 3_600 })
    },
    breaks: 'Each active booking has its delivery, and each booked delivery its booking: active bookings',
  },
} as const satisfies Record<string, CarrierBug>

export type SeededBugName = keyof typeof SEEDED_BUGS
