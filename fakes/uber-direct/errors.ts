import type { FakeAnswer } from '../fake.ts'

/** Uber's code → status and message, as in its OpenAPI document (Direct API 1.0.1). */
const REFUSALS = {
  address_undeliverable: [400, 'The specified location is not in a deliverable area.'],
  address_undeliverable_limited_couriers: [
    400,
    'The specified location is not in a deliverable area at this time because all couriers are currently busy.',
  ],
  unknown_location: [400, 'The specified location was not understood.'],
  pickup_window_too_small: [400, 'The pickup window needs to be at least 10 minutes long.'],
  dropoff_deadline_too_early: [
    400,
    'The dropoff deadline needs to be at least 20 minutes after the dropoff ready time.',
  ],
  dropoff_deadline_before_pickup_deadline: [
    400,
    'The dropoff deadline needs to be after the pickup deadline.',
  ],
  dropoff_ready_after_pickup_deadline: [
    400,
    'The dropoff ready time needs to be at or before the pickup deadline.',
  ],
  pickup_ready_too_early: [400, 'The pickup ready time cannot be in the past.'],
  pickup_deadline_too_early: [400, 'The pickup deadline time needs to be at least 20 minutes from now.'],
  pickup_ready_too_late: [400, 'The pickup ready time needs to be within the next 30 days.'],
  invalid_params: [400, 'The parameters of your request were invalid.'],
  expired_quote: [400, 'The price quote specified has expired.'],
  used_quote: [400, 'The price quote specified has been used.'],
  mismatched_price_quote: [400, 'Quote mismatch, please recreate the quote.'],
  noncancelable_delivery: [400, 'Delivery cannot be cancelled'],
  max_tip_exceeded: [400, 'Max tip exceeded.'],
  tip_already_recorded_error: [400, 'Tip already updated.'],
  no_tip: [400, 'no_tip.'],
  invalid_tipping_state: [400, 'Tip cannot be updated in the current job state.'],
  customer_suspended: [402, 'Your account is passed due. Payment is required.'],
  customer_blocked: [403, 'Your account is not allowed to create deliveries.'],
  customer_not_found: [404, 'Customer does not exist.'],
  delivery_not_found: [404, 'The requested delivery does not exist.'],
  request_timeout: [408, 'The request timed out…'],
  duplicate_delivery: [409, 'An active delivery like this already exists.'],
  customer_limited: [429, 'Your account’s limits have been exceeded.'],
  unknown_error: [500, 'Internal server error'],
  couriers_busy: [503, 'All of our couriers are currently busy.'],
  service_unavailable: [503, 'Service is currently unavailable.'],
} as const satisfies Record<string, readonly [number, string]>

export type RefusalCode = keyof typeof REFUSALS

export function refuse(code: RefusalCode, metadata?: Readonly<Record<string, string>>): FakeAnswer {
  const [status, message] = REFUSALS[code]
  return { status, body: { code, message, kind: 'error', ...(metadata ? { metadata } : {}) } }
}

/** Unlike the others it has no `kind`. */
export const UNAUTHORIZED: FakeAnswer = {
  status: 401,
  body: { code: 'unauthorized', message: 'Invalid OAuth 2.0 credentials provided.' },
}

/**
 * Its message for a time-out, which leaves open whether the request was executed. Uber documents it with 400
 * and 408.
 */
export function timedOut(status: number): FakeAnswer {
  return { ...refuse('request_timeout'), status }
}

const BY_STATUS: Readonly<Record<number, RefusalCode>> = {
  402: 'customer_suspended',
  403: 'customer_blocked',
  408: 'request_timeout',
  422: 'address_undeliverable_limited_couriers',
  429: 'customer_limited',
  503: 'service_unavailable',
}

/** Uber's response for a status that a fault asks for. */
export function failure(status: number): FakeAnswer {
  if (status === 401) return UNAUTHORIZED
  const code = BY_STATUS[status]
  if (code) return { ...refuse(code), status }
  if (status < 500) return { ...refuse('invalid_params'), status }
  return { status, body: { code: 'internal_server_error', message: 'We have experienced a problem.' } }
}
