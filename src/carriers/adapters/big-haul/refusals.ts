import { z } from 'zod'
import { errorClassifier } from '../../kit/error-classifier.ts'

export const CANCELLED_BEFORE = 'ALREADY_CANCELLED'

/** They refuse with a 200 as well as with a 4xx. */
export const WORDS = errorClassifier({
  errors: z
    .object({ Result: z.literal('FAIL'), Reason: z.string(), Message: z.string().default('') })
    .transform(({ Reason, Message }) => [{ code: Reason, field: null, said: Message }]),
  refusesInside2xx: true,
  leaves: {
    NO_DEPOT: 'another_carrier',
    OVER_CAPACITY: 'another_carrier',
    unauthorised: 'later',
    CLOSED: 'later',
  },
})
