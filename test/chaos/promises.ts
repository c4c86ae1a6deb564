import { bookedOnce, bookingsAgree } from '../harness/bookings.ts'
import { findHandOverFaults } from '../harness/hand-over.ts'
import { namesOf, type Promises } from '../harness/promises.ts'
import type { Evidence } from './evidence.ts'
import {
  acknowledgedAndKept,
  answersAsDeclared,
  oneKeyOneAnswer,
  refusedAndLeftNothing,
  writtenInTheAuditLog,
} from './promises/answers.ts'
import { eventsInOrder, everyDeliveryEnds, legalTimelines, textedOnce } from './promises/timelines.ts'

/** Each promise and its check, in the order of docs/operations/chaos.md. */
export const PROMISES = {
  'acknowledged and kept': acknowledgedAndKept,
  'booked once': (evidence) => [...bookedOnce(evidence).wrong, ...bookingsAgree(evidence).wrong],
  'each manifest submitted once': ({ manifests, orders }) => findHandOverFaults(manifests, orders),
  'refused and left nothing': refusedAndLeftNothing,
  'one key, one answer': oneKeyOneAnswer,
  'legal timelines': legalTimelines,
  'events in order': eventsInOrder,
  'texted once': textedOnce,
  'labels whole': ({ labels }) =>
    labels.filter(({ whole }) => !whole).map(({ reference }) => `the label of ${reference} is not whole`),
  'answers as declared': answersAsDeclared,
  'written in the audit log': writtenInTheAuditLog,
  'every delivery ends': everyDeliveryEnds,
} as const satisfies Promises<string, Evidence>

export type PromiseName = keyof typeof PROMISES
export const PROMISE_NAMES = namesOf(PROMISES)
