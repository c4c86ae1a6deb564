import type { FakeAnswer } from '../fake.ts'

/**
 * DoorDash's errors, as in the OpenAPI document of the Drive API (2.1.59): `code`, `message` and
 * error-specific fields.
 */
function error(status: number, code: string, message: string, more: object = {}): FakeAnswer {
  return { status, body: { code, message, ...more } }
}

export type FieldError = { field: string; error: string }

export function invalidFields(fields: readonly FieldError[]): FakeAnswer {
  return error(400, 'validation_error', "One or more request values couldn't be validated.", {
    field_errors: fields,
  })
}

export function unauthenticated(message: string): FakeAnswer {
  return error(401, 'authentication_error', message)
}

export function unknownDelivery(id: string): FakeAnswer {
  return error(404, 'unknown_delivery_id', 'External delivery ID was not found', {
    external_delivery_id: id,
  })
}

export function duplicateDelivery(id: string): FakeAnswer {
  return error(409, 'duplicate_delivery_id', 'Duplicate External Delivery ID', { external_delivery_id: id })
}

export type NotServed =
  | 'distance_too_long'
  | 'pickup_address_not_in_coverage'
  | 'delivery_address_not_in_coverage'
  | 'outside_of_delivery_time'

export function notServed(reason: NotServed): FakeAnswer {
  return error(422, 'invalid_delivery_parameters', 'Requested delivery is not valid', { reason })
}

export type TooLate =
  | 'delivery_abandoned'
  | 'delivery_cancelled'
  | 'delivery_completed'
  | 'delivery_creation_in_progress'
  | 'delivery_picked_up'

export type NotCancellable = TooLate | 'cancellation_window_closed' | 'duplicate_request'

export function cancelNotAllowed(reason: NotCancellable): FakeAnswer {
  return error(409, 'cancel_not_allowed', 'Cancellation is no longer possible', { reason })
}

export function updateNotAllowed(reason: TooLate | 'update_window_closed'): FakeAnswer {
  return error(409, 'update_not_allowed', 'Update is no longer possible', { reason })
}

/** Its message for an internal failure, which leaves open whether the request was executed. */
export function serviceFault(status: number): FakeAnswer {
  return error(status, 'service_fault', 'Internal service failure, please try again later.')
}

/**
 * DoorDash's response for a status that a fault asks for. For 429 only the status is documented; its code is
 * made up.
 */
export function failure(status: number): FakeAnswer {
  if (status === 401) return unauthenticated('The [exp] is in the past; the JWT is expired')
  if (status === 403) {
    const message =
      "Authorization error: the credentials provided with the request don't work for the requested operation"
    return error(403, 'authorization_error', message)
  }
  if (status === 422) return notServed('outside_of_delivery_time')
  if (status === 429) return error(429, 'too_many_requests', 'Too many requests')
  if (status < 500) return { ...invalidFields([{ field: 'body', error: 'Invalid' }]), status }
  return serviceFault(status)
}
