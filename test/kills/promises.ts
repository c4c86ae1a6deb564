import { acknowledgedAndKept, nameOf } from '../harness/acknowledged.ts'
import { type BookedDelivery, bookedOnce, bookingsAgree } from '../harness/bookings.ts'
import type { RecordedRequest } from '../harness/client.ts'
import type { LedgerEntry } from '../harness/ledger.ts'
import { namesOf, type Promises } from '../harness/promises.ts'
import { findIllegalSteps, findUnended, type Step } from '../harness/timelines.ts'
import type { KillJob } from './jobs.ts'

export type FoundDelivery = BookedDelivery & {
  status_reason?: string
  special_instructions?: string
  deadLetterReason?: string | null
}

/** The evidence at the end of a run: the client's responses, the carriers' ledger, and our record. */
export type KillEvidence = {
  jobs: readonly KillJob[]
  history: readonly RecordedRequest[]
  /** Responses that no injected fault explains. */
  wrong: readonly string[]
  endedByThemselves: readonly string[]
  deliveries: readonly FoundDelivery[]
  ledgerEntries: readonly LedgerEntry[]
  steps: readonly Step[]
}

/** Each promise and its check. */
export const PROMISES = {
  'acknowledged and kept': ({ jobs, ...evidence }) => {
    const ordered = new Map(
      jobs.map(({ reference, body }) => [nameOf({ account: 'demo', reference }), body.special_instructions]),
    )
    return acknowledgedAndKept(evidence, (name) => ordered.get(name))
  },
  'booked once': bookedOnce,
  'no orphaned booking': bookingsAgree,
  'every delivery ends': ({ deliveries }) => [
    ...findUnended(deliveries),
    ...deliveries.flatMap(({ reference, deadLetterReason: reason }) =>
      reason ? [`${reference} was dead-lettered: ${reason}`] : [],
    ),
  ],
  'legal timelines': ({ steps }) => findIllegalSteps(steps),
  'answers as declared': answersAsDeclared,
} as const satisfies Promises<string, KillEvidence>

export type PromiseName = keyof typeof PROMISES
export const PROMISE_NAMES = namesOf(PROMISES)

/** A create succeeds; a cancellation succeeds, or returns 409 because the delivery has a carrier. */
function answersAsDeclared({ history, wrong, endedByThemselves }: KillEvidence): string[] {
  const unexpected = history.flatMap(({ operation, reference, outcome, status, code }) => {
    const isExpected = outcome === 'ok' || (operation === 'cancel' && status === 409)
    return isExpected ? [] : [`${operation} ${reference}: ${status} ${code}`]
  })
  return [...wrong, ...unexpected, ...endedByThemselves]
}
