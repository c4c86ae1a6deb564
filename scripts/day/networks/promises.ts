import { findHandOverFaults } from '../../../test/harness/hand-over.ts'
import type { Finding, Promises } from '../../../test/harness/promises.ts'
import { DAY_PROMISES } from '../verify-day.ts'
import type { Evidence } from './evidence.ts'
import { withinBudget } from './promises/budget.ts'
import { statusesAgree } from './promises/deliveries.ts'

/** Each promise in plain words, and the check for it. */
export const PROMISES = {
  ...DAY_PROMISES,
  'Each manifest is one order with the same articles: manifests and orders': eachManifestSubmittedOnce,
  'Each key sends at most 10 tracking requests a minute, of at most 10 ids: tracking requests': withinBudget,
  'Each delivery ended as its carrier says, delivered or returned: ended deliveries': statusesAgree,
} as const satisfies Promises<string, Evidence>

function eachManifestSubmittedOnce({ manifests, orders }: Evidence): Finding {
  const unfinished = manifests.filter(({ status }) => status === 'submitting' || status === 'on_hold')
  return {
    counted: manifests.filter(({ status }) => status === 'submitted').length,
    wrong: [
      ...unfinished.map(({ id, status }) => `manifest ${id} is ${status}`),
      ...findHandOverFaults(manifests, orders),
    ],
  }
}
