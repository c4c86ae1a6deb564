import type { Evidence } from './evidence.ts'
import { bookedOnce, bookingsAgree } from './promises/bookings.ts'
import { withinBudget } from './promises/budget.ts'
import { handedOverOnce } from './promises/hand-over.ts'
import { broughtToTheDoor, noneLost, noneStuck } from './promises/lives.ts'

/** The number of cases checked, and a sentence for each violation. */
export type Finding = { counted: number; wrong: string[] }

/** Each promise in plain words, and the check for it. */
const PROMISES: readonly (readonly [promise: string, hold: (evidence: Evidence) => Finding])[] = [
  ['No delivery is booked twice: bookings in the carriers’ own ledgers', bookedOnce],
  [
    'Each active booking has its delivery, and each booked delivery its booking: active bookings',
    bookingsAgree,
  ],
  ['Each manifest is one order with the same articles: manifests and orders', handedOverOnce],
  ['Tracking keeps to 10 requests a minute of 10 ids for each key: requests', withinBudget],
  ['Each is where its carrier left it, at the door or back: ended deliveries', broughtToTheDoor],
  ['None is stuck: deliveries', noneStuck],
  ['None is lost, and none refused without a good reason: requests of the shop', noneLost],
]

export type Verdict = Finding & { promise: string }

export function judge(evidence: Evidence): Verdict[] {
  return PROMISES.map(([promise, hold]) => ({ promise, ...hold(evidence) }))
}
