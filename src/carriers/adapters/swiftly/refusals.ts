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
    // It says nothing of what was done before the key was changed, so it never counts as a clear no.
    unauthorised: 'later',
    closed: 'later',
    // A job exists under this key, only not this one: no other carrier may be asked.
    idempotency_mismatch: 'unknown',
  },
})
