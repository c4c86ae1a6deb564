const SAID: readonly (readonly [code: string, message: string])[] = [
  ['request_timeout', 'The request timed out…'],
  ['E1', 'Internal technical error'],
  ['E1', 'System Error'],
  ['service_fault', 'Sorry.'],
  ['unknown_error', ''],
]

/** Texts of a time-out or an internal failure, in the shape of every carrier's errors at once. */
export const FAILURE_BODIES: readonly object[] = SAID.map(([code, message]) => ({
  ...{ code, message, error: { code, message } },
  ...{ errors: [{ code, message }] },
  ...{ Result: 'FAIL', Reason: code, Message: message },
}))
