import { z } from 'zod'
import { errorClassifier } from '../../kit/error-classifier.ts'

const Refused = z
  .object({
    code: z.string().optional(),
    message: z.string().default(''),
    reason: z.string().optional().catch(undefined),
    field_errors: z
      .array(z.object({ field: z.string(), error: z.string() }))
      .optional()
      .catch(undefined),
  })
  .refine(({ code, field_errors }) => code !== undefined || field_errors !== undefined)
  .transform(({ code = '', message, reason, field_errors = [] }) => {
    const fields = field_errors.map(({ field, error }) => `${field} ${error}`)
    const sentence = [reason, ...(fields.length > 0 ? fields : [message])].filter(Boolean).join(': ')
    return [{ code, name: reason, field: field_errors[0]?.field ?? null, message: sentence }]
  })

export const DUPLICATE_ID = 'duplicate_delivery_id'
/** They are still processing an earlier request for this delivery: a later look-up shows its outcome. */
export const IN_PROGRESS = ['delivery_creation_in_progress', 'duplicate_request']

/**
 * Codes and reasons as in DoorDash's own SDK (npm @doordash/sdk 0.6.13, which also accepts a reason as a
 * code). For other codes the status says what a final refusal means (developer.doordash.com, Drive, Errors): 422 is a job that
 * DoorDash can't do (too far, outside the area, no such time), 400 an invalid field, 401 and 403 a problem
 * with the account.
 */
export const reader = errorClassifier({
  errors: Refused,
  adviceByCode: {
    '401': 'later',
    '403': 'later',
    '422': 'another_carrier',
    authentication_error: 'later',
    authorization_error: 'later',
    invalid_delivery_parameters: 'another_carrier',
    distance_too_long: 'another_carrier',
    pickup_address_not_in_coverage: 'another_carrier',
    delivery_address_not_in_coverage: 'another_carrier',
    outside_of_delivery_time: 'another_carrier',
    validation_error: 'nobody',
    unknown_delivery_id: 'nobody',
    cancel_not_allowed: 'nobody',
    update_not_allowed: 'nobody',
    // Reasons that replace the code.
    delivery_abandoned: 'nobody',
    delivery_cancelled: 'nobody',
    delivery_completed: 'nobody',
    delivery_picked_up: 'nobody',
    cancellation_window_closed: 'nobody',
    update_window_closed: 'nobody',
    'Pickup in Progress': 'nobody',
    'Delivery in Progress': 'nobody',
    'Delivery Complete': 'nobody',
    [DUPLICATE_ID]: 'unknown',
    delivery_creation_in_progress: 'unknown',
    duplicate_request: 'unknown',
    service_fault: 'unknown',
  },
  // A place or a time that other carriers may serve (the sentences of Drive's field errors).
  patterns: {
    validation_error: [
      [/resolve to a valid address|does not serve|not serviceable|service area/i, 'another_carrier'],
      [/distance .*exceeds|earliest dasher pickup time/i, 'another_carrier'],
    ],
  },
})
