import { bookedOnce, bookingsAgree } from '../../../test/harness/bookings.ts'
import { findHandOverFaults } from '../../../test/harness/hand-over.ts'
import type { Finding, Promises } from '../../../test/harness/promises.ts'
import type { Evidence } from './evidence.ts'
import { withinBudget } from './promises/budget.ts'
import { broughtToTheDoor, noneLost, noneStuck } from './promises/lives.ts'

/** Each promise in plain words, and the check for it. */
export const PROMISES = {
  'No delivery is booked twice: bookings in the carriers’ own ledgers': bookedOnce,
  'Each active booking has its delivery, and each booked delivery its booking: active bookings':
    bookingsAgree,
  'Each manifest is one order with the same articles: manifests and orders': handedOverOnce,
  'Tracking keeps to 10 requests a minute of 10 ids for each key: requests': withinBudget,
  'Each is where its carrier left it, at the door or back: ended deliveries': broughtToTheDoor,
  'None is stuck: deliveries': noneStuck,
  'None is lost, and none refused without a good reason: requests of the shop': noneLost,
} as const satisfies Promises<string, Evidence>

function handedOverOnce({ manifests, orders }: Evidence): Finding {
  const unfinished = manifests.filter(({ status }) => status === 'submitting' || status === 'on_hold')
  return {
    counted: manifests.filter(({ status }) => status === 'submitted').length,
    wrong: [
      ...unfinished.map(({ id, status }) => `manifest ${id} is ${status}`),
      ...findHandOverFaults(manifests, orders),
    ],
  }
}
