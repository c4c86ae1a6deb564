import type { FastifyRequest } from 'fastify'
import type { Refusal } from '../../domain/errors.ts'
import { type BodyLimit, SMALL_BODY } from '../contract/body-limit.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { allowanceHeaders, type Bucket, type Limit, take, takeAvailable, tooMany } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The bucket that the caller's requests count against; null until it is known, and for operators, who are not
     * limited.
     */
    meter: { bucket: Bucket; limit: Limit } | null
  }
}

/** Rate-limit cost of a request: its endpoint's own cost, plus one for each 16 KiB of body. */
export function costOfRequest(request: FastifyRequest, { cost = 1, bodyLimit }: Endpoint): number {
  return cost + costOfBytes(Math.min(declaredLength(request) ?? 0, getBodyLimit(bodyLimit).bytes))
}

const CHARGED_BYTES = 16 * 1024

/** What a body of this size adds to the cost of its request. */
export function costOfBytes(bytes: number): number {
  return Math.floor(bytes / CHARGED_BYTES)
}

/** The body limit of an endpoint. */
export function getBodyLimit(bodyLimit: BodyLimit | undefined): BodyLimit {
  return bodyLimit ?? SMALL_BODY
}

/** The declared `Content-Length`; null for a chunked body and for no body. */
export function declaredLength({ headers }: FastifyRequest): number | null {
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}

/** Charges the bytes of a body whose length was not declared. Throws `rate_limited`. */
export function chargeBytes(request: FastifyRequest, bytes: number): void {
  charge(request, costOfBytes(bytes), 'bytes')
}

/** Charges what a request turned out to cost beyond its admission. Throws `rate_limited`. */
export function charge(request: FastifyRequest, cost: number, what: string): void {
  if (cost === 0 || !request.meter) return
  const { bucket, limit } = request.meter
  const wait = take(bucket, limit, Date.now(), cost)
  request.allowance = allowanceHeaders(bucket, limit)
  if (wait > 0) throw tooMany(wait, what)
}

/** Wording and sending 100 issues takes as long as three quotes, however few bytes the request had. */
const MISTAKES_OF_A_REQUEST = 25

/** What that many issues add to the cost of the request that is rejected for them. */
export function costOfMistakes(count: number): number {
  return Math.floor(count / MISTAKES_OF_A_REQUEST)
}

/**
 * Charges for an error response: for its issues, and for what finding them cost. The response is sent all the same, so at
 * most the remaining tokens are taken.
 */
export function chargeRefusal(request: FastifyRequest, refusal: Pick<Refusal, 'issues' | 'cost'>): void {
  const cost = costOfMistakes(refusal.issues.length) + refusal.cost
  if (cost === 0 || !request.meter) return
  const { bucket, limit } = request.meter
  takeAvailable(bucket, cost)
  request.allowance = allowanceHeaders(bucket, limit)
}
