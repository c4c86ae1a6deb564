import { z } from 'zod'
import { errorClassifier } from '../../kit/error-classifier.ts'

export const WORDS = errorClassifier({
  errors: z
    .object({ error: z.object({ code: z.string(), message: z.string() }) })
    .transform(({ error: { code, message } }) => [{ code, field: null, said: message }]),
  leaves: {
    no_driver: 'another_carrier',
    area_not_served: 'another_carrier',
    too_large: 'another_carrier',
    // It doesn't say what Swiftly did before the key changed, so it never counts as a definite no.
    unauthorised: 'later',
    closed: 'later',
    // A different job exists under this key, so we must not try another carrier.
    idempotency_mismatch: 'unknown',
  },
})
