import type { FastifyRequest } from 'fastify'
import { type BodyLimit, costOfBytes, SMALL_BODY } from './body-limit.ts'
import type { Endpoint } from './endpoint.ts'
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
