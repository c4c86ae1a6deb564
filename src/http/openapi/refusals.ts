import { type Endpoint, takesKey } from '../contract/endpoint.ts'
import type { ErrorCode } from '../contract/errors.ts'

/** Every error code of an endpoint: its own, and those that its access and body imply. */
export function listCodes(endpoint: Endpoint): ErrorCode[] {
  const { access, refusals, idempotency } = endpoint
  const codes = new Set<ErrorCode>([
    'malformed_json',
    // Also if a form reports its own issues: an unknown query parameter is rejected before that.
    'invalid_request',
    'rate_limited',
    'internal_error',
    'service_unavailable',
    'request_timeout',
    'headers_too_large',
  ])
  if (access !== 'public') codes.add('unauthorized')
  if (access !== 'public' && endpoint.method !== 'GET') codes.add('cross_site_request')
  if (access === 'operator') codes.add('insufficient_scope').add('second_factor_setup_required')
  if (access !== 'public' && access !== 'operator' && access !== 'driver') {
    codes.add('not_found')
    codes.add('insufficient_scope')
    codes.add('second_factor_setup_required')
  }
  if (endpoint.url.includes(':')) codes.add('not_found')
  // The body of a DELETE is read before it is ignored.
  if (endpoint.method !== 'GET') {
    codes.add('payload_too_large')
    codes.add('request_timeout')
    codes.add('unsupported_media_type')
  }
  if (takesKey(endpoint) && idempotency !== 'none') {
    codes.add('invalid_idempotency_key')
    codes.add('idempotency_key_reused')
    codes.add('idempotency_in_progress')
  }
  for (const code of refusals) codes.add(code)
  // Any endpoint that takes a delivery's name may get the name of an erased delivery.
  if (codes.has('ambiguous_reference')) codes.add('delivery_erased')
  return [...codes]
}

export function takesBody({ method }: Endpoint): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}
