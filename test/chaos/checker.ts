import type { Evidence } from './found.ts'
import {
  acknowledgedAndKept,
  oneKeyOneAnswer,
  refusedAndLeftNothing,
  writtenInTheAuditLog,
} from './promises/answers.ts'
import { bookedOnce, handedOverOnce } from './promises/bookings.ts'
import { aLegalLife, allComesToAnEnd, reportedInOrder, textedOnce } from './promises/lives.ts'

export type Breach = { promise: PromiseName; text: string }

/** Each promise and its check, in the order of docs/operations/chaos.md. */
const PROMISES = {
  'acknowledged and kept': acknowledgedAndKept,
  'booked once': bookedOnce,
  'handed over once': handedOverOnce,
  'refused and left nothing': refusedAndLeftNothing,
  'one key, one answer': oneKeyOneAnswer,
  'a legal life': aLegalLife,
  'told in order': reportedInOrder,
  'texted once': textedOnce,
  'labels whole': ({ labels }) =>
    labels.filter(({ whole }) => !whole).map(({ reference }) => `the label of ${reference} is not whole`),
  'answers as declared': ({ wrong, endedByThemselves }) => [...wrong, ...endedByThemselves],
  'written in the audit log': writtenInTheAuditLog,
  'all comes to an end': allComesToAnEnd,
} as const satisfies Record<string, (evidence: Evidence) => string[]>

export type PromiseName = keyof typeof PROMISES
export const PROMISE_NAMES = Object.keys(PROMISES) as PromiseName[]

/** Checks the evidence against each promise; an empty list is a run without a breach. */
export function check(evidence: Evidence): Breach[] {
  return PROMISE_NAMES.flatMap((promise) => PROMISES[promise](evidence).map((text) => ({ promise, text })))
}
