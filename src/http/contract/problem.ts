import { Refusal } from '../../domain/errors.ts'
import { isUnavailable } from '../../store/db/unavailable.ts'
import type { StoredAnswer } from '../../store/deliveries/idempotency.ts'
import { ERRORS, type ErrorCode, problemType } from './errors.ts'

/** Default `Retry-After` of transient errors, in seconds. */
export const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  service_unavailable: 2,
  booking_in_progress: 2,
  idempotency_in_progress: 2,
  cancellation_pending: 5,
  rate_limited: 1,
}

/** SQLSTATE `disk_full`. */
const DISK_FULL = '53100'

/** Maps an exception to its refusal; null for our own bug. */
export function findRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (typeof code === 'string') {
    const refusal = FROM_FASTIFY[code]
    if (refusal) return new Refusal(...refusal)
    if (code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500) {
      return new Refusal('malformed_json', 'The request could not be read.')
    }
  }
  if (code === DISK_FULL) {
    const message =
      'The database’s disk is full: Drover can read but not write. Ask the operator to free space, then try again.'
    return new Refusal('service_unavailable', message)
  }
  if (isUnavailable(error))
    return new Refusal('service_unavailable', 'The database is not available at the moment. Try again.')
  return null
}

/** The HTTP status of a refusal, or of our own bug (null). */
export function getStatus(refusal: Refusal | null): number {
  return ERRORS[refusal?.code ?? 'internal_error'].status
}

/** The RFC 9457 response for a refusal, or for our own bug (null). */
export function problem(refusal: Refusal | null, requestId: string): StoredAnswer {
  const code: ErrorCode = refusal?.code ?? 'internal_error'
  const { status, title } = ERRORS[code]
  const { retry_after_seconds: retryAfterSeconds, allow, challenge, ...details } = refusal?.details ?? {}
  const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : RETRY_AFTER_SECONDS[code]

  const headers: Record<string, string> = {
    'content-type': 'application/problem+json; charset=utf-8',
  }
  if (seconds !== undefined) headers['retry-after'] = String(Math.ceil(seconds))
  if (typeof allow === 'string') headers.allow = allow
  if (status === 401 || code === 'insufficient_scope')
    headers['www-authenticate'] = bearerChallenge(challenge)

  const body = JSON.stringify({
    type: problemType(code),
    title,
    status,
    detail: refusal?.message ?? 'Something failed on our side. It is logged under this request_id.',
    code,
    request_id: requestId,
    ...(refusal && refusal.issues.length > 0 ? { errors: refusal.issues } : {}),
    ...details,
  })
  return { status, headers, body }
}

/** RFC 6750: no `error` when no credentials were sent. */
function bearerChallenge(error: unknown): string {
  return typeof error === 'string' ? `Bearer realm="drover", error="${error}"` : 'Bearer realm="drover"'
}

const FROM_FASTIFY: Readonly<Record<string, ConstructorParameters<typeof Refusal>>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_EMPTY_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
}

/** The same message for an account that does not exist, one that belongs to someone else, and an unknown URL. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'There is nothing here for this token.')
}
