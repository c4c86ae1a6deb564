import type { ErrorCode } from './errors.ts'

/**
 * Idempotency key: errors that are not stored under the key. Some say nothing about the operation itself, so the
 * corrected request may use the same key. Others are transient: a booking under way, a concurrent change, a carrier
 * that does not answer. Their remedy is to send the same request again, which a stored response would block for 72 h.
 */
export const UNCACHED_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'malformed_json',
  'invalid_idempotency_key',
  'unauthorized',
  'insufficient_scope',
  'capability_disabled',
  'invalid_signature',
  'not_found',
  'method_not_allowed',
  'payload_too_large',
  'request_timeout',
  'unsupported_media_type',
  'invalid_request',
  'rate_limited',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'invalid_code',
  'invalid_credentials',
  'second_factor_required',
  'invalid_second_factor',
  'second_factor_setup_required',
  'invalid_passkey',
  'passkey_required',
  'account_required',
  'openid_failed',
  'openid_expired',
  'person_required',
  'cross_site_request',
  'booking_in_progress',
  'version_conflict',
  'cancellation_pending',
  'internal_error',
  'service_unavailable',
])
