import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import { chargeBytes, declaredLength } from '../admission/cost-of-request.ts'
import { rateLimitKey } from '../admission/rate-limit.ts'
import { type BodyLimit, sizeWords } from '../contract/body-limit.ts'
import type { BodyBudget, BodyLease } from './body-budget.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The connection closes after this response. */
    isLast: boolean
  }
}

/**
 * Small first chunks are kept as they are; the chunks of a longer body are copied together, so that no chunk keeps its
 * own buffer alive.
 */
const FIRST_BYTES = 4 * 1024
const MIB = 1024 * 1024
/** A body up to this size is freed as soon as it is parsed; same as `HELD_BYTES`. */
const UNCOUNTED_BYTES = 16 * 1024

type Intake = { limit: BodyLimit; budget: BodyBudget; bodyMs: number }
type Done = (error: Error | null, body?: Buffer, lease?: BodyLease) => void

/**
 * Reads a body up to its endpoint's limit, within the process's budget and its deadline. Throws `payload_too_large`,
 * `service_unavailable`, `request_timeout`, and `rate_limited` for a body whose length was not declared. The caller
 * releases the lease, if there is one.
 */
export function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  intake: Intake,
  done: Done,
): void {
  const declared = declaredLength(request)
  if (declared !== null && declared > intake.limit.bytes) {
    done(tooLarge(intake.limit))
    return
  }
  if (declared !== null && declared <= UNCOUNTED_BYTES)
    readSmall(request, payload, intake, { bytes: declared, done })
  else readCounted(request, payload, intake, done)
}

/**
 * Most small bodies arrive in one chunk and are parsed and freed in the same tick, so they are not counted. A body in
 * several chunks is counted from its first chunk; before that it holds only its connection.
 */
function readSmall(
  request: FastifyRequest,
  payload: IncomingMessage,
  intake: Intake,
  { bytes, done }: { bytes: number; done: Done },
): void {
  let body: Buffer = NOTHING
  const stopReading = (): void => {
    payload.off('data', onData).off('end', onEnd).off('error', onError)
  }
  function onData(chunk: Buffer): void {
    if (chunk.length === bytes && body === NOTHING) {
      body = chunk
      return
    }
    stopReading()
    readCounted(request, payload, intake, done, Buffer.concat([body, chunk]))
  }
  function onEnd(): void {
    stopReading()
    if (body.length === bytes) done(null, body)
    else done(notAsLong())
  }
  function onError(error: Error): void {
    stopReading()
    done(error)
  }
  payload.on('data', onData).on('end', onEnd).on('error', onError)
  payload.resume()
}

function readCounted(
  request: FastifyRequest,
  payload: IncomingMessage,
  { limit, budget, bodyMs }: Intake,
  done: Done,
  first?: Buffer,
): void {
  const declared = declaredLength(request)
  const ms = bodyDeadlineMs(limit, bodyMs, declared)
  let lease: BodyLease
  try {
    lease = budget.begin(rateLimitKey(request.ip), ms, () => fail(late(ms)))
  } catch (error) {
    done(error as Error)
    return
  }
  let body: Buffer = NOTHING
  let length = 0

  const add = (chunk: Buffer): void => {
    const all = length + chunk.length
    if (all > limit.bytes) throw tooLarge(limit)
    if (length === 0) {
      lease.take(chunk.length)
      body = chunk
    } else {
      if (all > body.length) {
        const room = Math.max(all, Math.min(declared ?? limit.bytes, Math.max(2 * body.length, FIRST_BYTES)))
        lease.take(room - body.length)
        const larger = Buffer.allocUnsafeSlow(room)
        body.copy(larger, 0, 0, length)
        body = larger
      }
      chunk.copy(body, length)
    }
    length = all
  }
  const stopReading = (): void => {
    payload.off('data', onData).off('end', onEnd).off('error', fail).off('close', onClose)
  }
  function onData(chunk: Buffer): void {
    try {
      add(chunk)
    } catch (error) {
      fail(error as Error)
    }
  }
  function onEnd(): void {
    try {
      if (declared !== null && declared !== length) throw notAsLong()
      if (declared === null) chargeBytes(request, length)
    } catch (error) {
      fail(error as Error)
      return
    }
    stopReading()
    lease.arrived()
    done(null, body.length === length ? body : body.subarray(0, length), lease)
  }
  function fail(error: Error): void {
    stopReading()
    lease.release()
    // A slow sender stays slow, so the connection closes after the response.
    if (error instanceof Refusal && error.code === 'request_timeout') request.isLast = true
    done(error)
  }
  function onClose(): void {
    fail(Object.assign(new Error('The caller hung up.'), { code: 'ECONNRESET' }))
  }
  payload.on('data', onData).on('end', onEnd).on('error', fail).on('close', onClose)
  if (first) onData(first)
  else payload.resume()
}

/** How long a body of this declared length may take to arrive. */
export function bodyDeadlineMs(limit: BodyLimit, bodyMs: number, declared: number | null): number {
  const ms = limit.bytes > MIB ? 2 * bodyMs : bodyMs
  return limit.minBytesPerMs ? ms + Math.ceil((declared ?? 0) / limit.minBytesPerMs) : ms
}

const NOTHING = Buffer.alloc(0)

function tooLarge({ bytes }: BodyLimit): Refusal {
  return new Refusal('payload_too_large', `The body is larger than ${sizeWords(bytes)}.`)
}

function notAsLong(): Refusal {
  return new Refusal('malformed_json', 'The body is not as long as Content-Length says.')
}

function late(ms: number): Refusal {
  return new Refusal(
    'request_timeout',
    `The body did not arrive within ${Math.round(ms / 1_000)} s, so Drover did not process the request. Send it again.`,
  )
}
