import type { FastifyRequest } from 'fastify'
import { type BodyLimit, costOfBytes, SMALL_BODY } from '../contract/body-limit.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { allowanceHeaders, type Bucket, type Limit, take, tooMany } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What its caller is counted by; null before that is known, and for operators, who are not counted. */
    meter: { bucket: Bucket; limit: Limit } | null
  }
}

/** For how many requests one counts against the limit of its caller: its endpoint's own cost, and one more for each 16 KiB. */
export function costOfRequest(request: FastifyRequest, { cost = 1, bodyLimit }: Endpoint): number {
  return cost + costOfBytes(Math.min(declaredLength(request) ?? 0, limitOf(bodyLimit).bytes))
}

/** What the body of an endpoint may be. */
export function limitOf(bodyLimit: BodyLimit | undefined): BodyLimit {
  return bodyLimit ?? SMALL_BODY
}

/** The length that was told beforehand; null for a body in chunks, and for none. */
export function declaredLength({ headers }: FastifyRequest): number | null {
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}

/** Counts the bytes of a body whose length was not told beforehand. Throws `rate_limited`. */
export function chargeBytes(request: FastifyRequest, bytes: number): void {
  const cost = costOfBytes(bytes)
  if (cost === 0 || !request.meter) return
  const { bucket, limit } = request.meter
  const wait = take(bucket, limit, Date.now(), cost)
  request.allowance = allowanceHeaders(bucket, limit)
  if (wait > 0) throw tooMany(wait, 'bytes')
}

/** A hundred mistakes take as long to word and to send as three quotes, in however few bytes they came. */
const MISTAKES_OF_A_REQUEST = 25

/** What wording so many mistakes adds to the cost of the request that is refused for them. */
export function costOfMistakes(count: number): number {
  return Math.floor(count / MISTAKES_OF_A_REQUEST)
}

/** Counts the mistakes that a refusal words. It is sent all the same: only what is left of the limit is taken. */
export function chargeMistakes(request: FastifyRequest, count: number): void {
  const cost = costOfMistakes(count)
  if (cost === 0 || !request.meter) return
  const { bucket, limit } = request.meter
  bucket.tokens = Math.max(0, bucket.tokens - cost)
  request.allowance = allowanceHeaders(bucket, limit)
}
