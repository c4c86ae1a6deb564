import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { CarrierResponse } from '../../port/send.ts'
import { journeyOf, type Plan, progress } from './progress.ts'
import type { SandboxOutcome } from './sandbox-store.ts'
import { scenarioOf } from './scenario.ts'
import type { Visit } from './server.ts'

/** A booking as a carrier parsed it, and how that carrier formats each possible response. */
export type BookingRequest = {
  reference: string
  idempotencyKey: string | null
  merchantReference: string
  plan: Plan
  /** Prefix of the consignment number: `SWF`. */
  prefix: string
  findableAfterMs: number
  /** Whether the carrier pushes its events by webhook. */
  pushes: boolean
  /** Whether the carrier detects a repeated request, and then answers it. */
  noticesRepeats: boolean
  answer(consignmentNumber: string): unknown
  /** The fields that a repeat must share with the first request; the whole request by default. */
  identity?(request: Readonly<Record<string, unknown>>): unknown
  booked(answer: unknown, replayed: boolean): CarrierResponse
  rejected(): CarrierResponse
  /** Its key belongs to a different booking. Null for a carrier that ignores keys. */
  mismatched: (() => CarrierResponse) | null
}

// A slow carrier takes the job halfway through its response time.
export const SLOW_TAKE_MS = 1_500
export const SLOW_ANSWER_MS = 1_500
// Longer than any caller waits.
export const LOST_ANSWER_MS = 60_000

/**
 * Books the job or plays its scenario. A carrier that is down never received the request, so it stores
 * nothing.
 */
export async function takeBooking(visit: Visit, request: BookingRequest): Promise<CarrierResponse> {
  const scenario = scenarioOf(request.merchantReference)
  if (scenario === 'down') return { kind: 'not_sent', message: 'connection refused' }
  if (scenario === 'rejected') {
    await record(visit, request, 'rejected', null)
    return request.rejected()
  }

  if (scenario === 'slow') await visit.wait(SLOW_TAKE_MS)
  const lost = scenario === 'lost-answer' && !(request.noticesRepeats && (await isRepeated(visit, request)))
  const response = await book(visit, request)
  if (scenario === 'slow') await visit.wait(SLOW_ANSWER_MS)
  if (!lost) return response

  await visit.wait(LOST_ANSWER_MS)
  return { kind: 'no_answer', message: 'connection reset' }
}

async function isRepeated(visit: Visit, { idempotencyKey, reference }: BookingRequest): Promise<boolean> {
  const { accountId, carrier, store } = visit
  if (idempotencyKey !== null) return (await store.findByKey(accountId, carrier, idempotencyKey)) !== null
  return (await store.listByReference(accountId, carrier, reference)).length > 0
}

async function book(visit: Visit, request: BookingRequest): Promise<CarrierResponse> {
  const { accountId, carrier, store, body } = visit
  const { reference, idempotencyKey, merchantReference } = request
  const consignmentNumber = newConsignmentNumber(request.prefix)
  const answer = request.answer(consignmentNumber)
  const bookedAtMs = visit.nowMs()
  const firstUpdate = progress(journeyOf({ merchantReference, bookedAtMs }, request.plan))[0]
  const isNew = await store.book({
    accountId,
    carrier,
    consignmentNumber,
    reference,
    idempotencyKey,
    merchantReference,
    request: body,
    answer,
    bookedAtMs,
    findableAfterMs: request.findableAfterMs,
    dueAtMs: request.pushes && firstUpdate ? firstUpdate.reportedAtMs : null,
  })
  return isNew ? request.booked(answer, false) : replay(visit, request)
}

async function replay(visit: Visit, request: BookingRequest): Promise<CarrierResponse> {
  const first = await visit.store.findByKey(visit.accountId, visit.carrier, request.idempotencyKey ?? '')
  if (!first) throw new Error(`${visit.carrier} lost the booking of key ${request.idempotencyKey}`)

  const { identity = (request) => request } = request
  const isSame = isDeepStrictEqual(identity(asObject(first.request)), identity(asObject(visit.body)))
  if (request.mismatched && !isSame) {
    await record(visit, request, 'refused', null)
    return request.mismatched()
  }
  await record(visit, request, 'replayed', first.consignmentNumber)
  return request.booked(first.answer, true)
}

function record(
  visit: Visit,
  request: BookingRequest,
  outcome: SandboxOutcome,
  consignmentNumber: string | null,
) {
  return visit.store.record({
    accountId: visit.accountId,
    atMs: visit.nowMs(),
    carrier: visit.carrier,
    operation: 'book',
    reference: request.merchantReference,
    idempotencyKey: request.idempotencyKey ?? request.reference,
    outcome,
    consignmentNumber,
  })
}

function asObject(request: unknown): Readonly<Record<string, unknown>> {
  return request as Readonly<Record<string, unknown>>
}

// Crockford's base 32: no characters that depot staff could misread.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A new consignment number: the carrier's prefix and 12 characters (60 bits, so duplicates don't occur in
 * practice).
 */
export function newConsignmentNumber(prefix: string): string {
  const characters = Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)])
  return prefix + characters.join('')
}

/**
 * The ids of a consignment's units, in order: letters and digits only, so that they fit a GS1 element
 * string's AI 91 (at most 30 characters).
 */
export function articleIds(consignmentNumber: string, count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, index) => consignmentNumber + `${first + index}`.padStart(3, '0'))
}
