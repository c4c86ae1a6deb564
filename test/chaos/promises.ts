import { bookedOnce, bookingsAgree } from '../harness/bookings.ts'
import { findHandOverFaults } from '../harness/hand-over.ts'
import { namesOf, type Promises } from '../harness/promises.ts'
import type { Evidence } from './found.ts'
import {
  acknowledgedAndKept,
  oneKeyOneAnswer,
  refusedAndLeftNothing,
  writtenInTheAuditLog,
} from './promises/answers.ts'
import { aLegalLife, allComesToAnEnd, reportedInOrder, textedOnce } from './promises/lives.ts'

/** Each promise and its check, in the order of docs/operations/chaos.md. */
export const PROMISES = {
  'acknowledged and kept': acknowledgedAndKept,
  'booked once': (evidence) => [...bookedOnce(evidence).wrong, ...bookingsAgree(evidence).wrong],
  'handed over once': ({ manifests, orders }) => findHandOverFaults(manifests, orders),
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
} as const satisfies Promises<string, Evidence>

export type PromiseName = keyof typeof PROMISES
export const PROMISE_NAMES = namesOf(PROMISES)
