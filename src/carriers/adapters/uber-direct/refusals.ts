import { z } from 'zod'
import { carrierCode } from '../../kit/answer.ts'
import { errorClassifier } from '../../kit/error-classifier.ts'

/** The details are beside the message, keyed by field or by error. */
const Details = z.record(z.string(), z.unknown()).nullish().catch(null)
const Refused = z
  .object({ code: z.string(), message: z.string().default(''), params: Details, metadata: Details })
  .transform(({ code, message, params, metadata }) => {
    const details = Object.entries({ ...params, ...metadata }).flatMap(([name, text]) =>
      typeof text === 'string' ? `${name}: ${text}` : [],
    )
    return [{ code, field: null, message: [message, ...details].filter(Boolean).join(' ') }]
  })

/** 409: a matching delivery already exists, under this id. */
export const Twin = z
  .object({ code: z.literal('duplicate_delivery'), metadata: z.object({ delivery_id: carrierCode }) })
  .transform(({ metadata }) => metadata.delivery_id)

/** The quote is no longer usable. Whether we used it shows when we retry without it, under the same key. */
export const QUOTE_INVALID = ['expired_quote', 'used_quote', 'mismatched_price_quote']

export const NOT_CANCELLABLE = 'noncancelable_delivery'

export const reader = errorClassifier({
  errors: Refused,
  adviceByCode: {
    address_undeliverable: 'another_carrier',
    address_undeliverable_limited_couriers: 'another_carrier',
    // They need a place on their map; a parcel carrier needs suburb and postcode.
    unknown_location: 'another_carrier',
    couriers_busy: 'another_carrier',
    robo_couriers_busy: 'another_carrier',
    pickup_window_too_small: 'another_carrier',
    pickup_ready_too_early: 'another_carrier',
    pickup_ready_too_late: 'another_carrier',
    pickup_deadline_too_early: 'another_carrier',
    pickup_ready_time_not_specified: 'another_carrier',
    dropoff_deadline_too_early: 'another_carrier',
    dropoff_deadline_before_pickup_deadline: 'another_carrier',
    dropoff_ready_after_pickup_deadline: 'another_carrier',
    // A problem with the account, not with this delivery: once a person fixes it, the same request may
    // succeed.
    unauthorized: 'later',
    customer_suspended: 'later',
    customer_blocked: 'later',
    customer_not_found: 'later',
    customer_limited: 'later',
    missing_payment: 'later',
    not_allowed: 'later',
    delivery_not_found: 'nobody',
    [NOT_CANCELLABLE]: 'nobody',
    // Retried without the quote, whatever the message says.
    expired_quote: 'nobody',
    used_quote: 'nobody',
    mismatched_price_quote: 'nobody',
    // A delivery exists there already, and we could not look it up.
    duplicate_delivery: 'unknown',
    request_timeout: 'unknown',
    internal_server_error: 'unknown',
    service_unavailable: 'unknown',
  },
  // "The parameters of your request were invalid": a field of ours, or a time, route or place that other
  // carriers may serve.
  patterns: {
    invalid_params: [
      [/(?<!al)ready|deadline|window|in the past/i, 'another_carrier'],
      [/too far|distance|radius|deliverable area/i, 'another_carrier'],
      [/geocod|resolv|(unable to|could not|cannot) (find|locate|understand|determine)/i, 'another_carrier'],
      [/invalid (pickup|dropoff) location|location changed/i, 'another_carrier'],
    ],
  },
  // "No couriers available" has status 503, but Uber itself sends it: no delivery was made.
  undone: ['couriers_busy', 'robo_couriers_busy'],
})
